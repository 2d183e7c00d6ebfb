import Foundation
import SwiftSync

enum MemoKind: Int, Codable {
  case plain, starred
}

struct MemoPlace: Codable, Equatable {
  var latitude: Double
  var name: String?
}

/// A model that leaves tombstones with values of every kind.
@Model final class Memo {
  @Attribute(.unique, .preserveValueOnDeletion) var id: String
  @Attribute(.preserveValueOnDeletion) var kind: MemoKind
  @Attribute(.preserveValueOnDeletion) var formerKind: MemoKind?
  @Attribute(.preserveValueOnDeletion) var place: MemoPlace?
  @Attribute(.preserveValueOnDeletion) var tags: [String]
  @Attribute(.preserveValueOnDeletion) var price: Decimal?
  @Attribute(.preserveValueOnDeletion) var rank: Int16
  var text: String
  var related: [Memo]

  init(id: String, text: String = "") {
    self.id = id
    self.text = text
    kind = .starred
    tags = ["a", "b"]
    rank = -3
    related = []
  }
}

/// Another entity in the same store.
@Model final class Folder {
  var name: String

  init(name: String) {
    self.name = name
  }
}

func memoContainer(history: HistoryPolicy = .standard) throws -> ModelContainer {
  try ModelContainer(
    for: Memo.self, Folder.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true, history: history))
}
