import Foundation
import SwiftUI

// Screens as applications write them, with every form of the property wrappers.

@Syncable @Model final class Board {
  @Attribute(.unique) var id: Int
  var name: String

  init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

@Syncable @Model final class Card {
  @Attribute(.unique) var id: Int
  var title: String
  var rank: Int?
  var board: Board?
  var boards: [Board]

  init(id: Int, title: String) {
    self.id = id
    self.title = title
    self.boards = []
  }
}

struct CardList: View {
  @SyncQuery private var cards: [Card]
  @SyncQuery private var open: [Card]
  @SyncModel private var board: Board?
  @SyncSectionedQuery private var sections: [SyncSection<Int?, Card>]

  init(boardID: Int, container: SyncContainer) {
    _cards = SyncQuery(
      Card.self, relationship: \.board, relationshipID: boardID, in: container, sortBy: [SortDescriptor(\.title)],
      refreshOn: [\.board])
    _open = SyncQuery(
      Card.self, relationship: \.boards, relationshipID: boardID, predicate: #Predicate { $0.title != "" },
      in: container, limit: 10)
    _board = SyncModel(Board.self, id: boardID, in: container)
    _sections = SyncSectionedQuery(SyncQueryShape(Card.self), sectionBy: \.rank, in: container)
  }

  var body: some View { Text("\(cards.count), \(open.count), \(board?.name ?? ""), \(sections.count)") }
}

@MainActor func asDynamicProperties(_ container: SyncContainer) -> [any DynamicProperty] {
  [SyncQuery(Card.self, in: container), SyncModel(Card.self, id: 1, in: container)]
}
