import Foundation
import SwiftSync
import TestSupport

enum CargoKind: String, Codable, CaseIterable {
  case wood, steel
}

/// A model with an attribute of every type, required and optional, and relationships to itself.
@Syncable @Model final class Cargo {
  @Attribute(.unique) var id: Int
  var flag: Bool
  var int8: Int8
  var int64: Int64
  var uint64: UInt64
  var float: Float
  var double: Double
  var decimal: Decimal
  var homeURL: URL
  @RemoteKey("label.text") var text: String
  @RemoteKey("label.madeAt") var madeAt: Date
  var uuid: UUID
  var data: Data
  var marks: [String]
  var kind: CargoKind
  var anInt: Int?
  var aText: String?
  var aDate: Date?
  var aDecimal: Decimal?
  var someData: Data?
  @Relationship(inverse: \Cargo.inner) var outer: Cargo?
  @NotExport var inner: [Cargo]
  @Relationship(inverse: \Cargo.likedBy) var likes: [Cargo]
  @NotExport var likedBy: [Cargo]
  var next: Cargo?

  init(id: Int, using random: inout SplitMix64) {
    self.id = id
    flag = Bool.random(using: &random)
    int8 = Int8.random(in: .min ... .max, using: &random)
    int64 = Int64(truncatingIfNeeded: random.next())
    uint64 = random.next()
    float = Float.random(in: -1e6...1e6, using: &random)
    double = Double.random(in: -1e9...1e9, using: &random)
    decimal = Self.decimal(using: &random)
    homeURL = URL(string: "https://example.com/a%20b?q=\(id)#f") ?? URL(fileURLWithPath: "/")
    text = Self.text(using: &random)
    madeAt = Self.date(using: &random)
    uuid = UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self))
    data = Data((0..<Int.random(in: 0..<9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    marks = (0..<Int.random(in: 0..<4, using: &random)).map { _ in Self.text(using: &random) }
    kind = Bool.random(using: &random) ? .wood : .steel
    inner = []
    likes = []
    likedBy = []
    guard Bool.random(using: &random) else { return }
    anInt = Int(truncatingIfNeeded: random.next())
    aText = Self.text(using: &random)
    aDate = Self.date(using: &random)
    aDecimal = Self.decimal(using: &random)
    someData = data
  }

  private static func text(using random: inout SplitMix64) -> String {
    let pieces = ["a", "\"", "\\", "/", "\n", "\u{0}", "é", "e\u{301}", "日本", "🚀", " ", "null", "1"]
    return (0..<Int.random(in: 0..<6, using: &random)).map { _ in
      pieces[Int.random(in: 0..<pieces.count, using: &random)]
    }.joined()
  }

  /// A date of whole milliseconds: an export has no more.
  private static func date(using random: inout SplitMix64) -> Date {
    Date(timeIntervalSince1970: Double(Int.random(in: -8_000_000_000...8_000_000_000, using: &random)) / 8)
  }

  private static func decimal(using random: inout SplitMix64) -> Decimal {
    Decimal(sign: .plus, exponent: -Int.random(in: 0..<9, using: &random), significand: Decimal(random.next()))
  }

  /// All that the crate has, as text.
  var content: String {
    """
    \(id) \(flag) \(int8) \(int64) \(uint64) \(float) \(double) \(decimal) \(homeURL) \(text.debugDescription) \
    \(madeAt.timeIntervalSinceReferenceDate) \(uuid) \(data.base64EncodedString()) \(marks) \(kind) \
    \(String(describing: anInt)) \(String(describing: aText)) \
    \(String(describing: aDate?.timeIntervalSinceReferenceDate)) \(String(describing: aDecimal)) \
    \(String(describing: someData?.base64EncodedString())) outer \(outer?.id ?? 0) next \(next?.id ?? 0) \
    likes \(likes.map(\.id).sorted())
    """
  }
}

extension SyncContainer {
  /// A container in memory that may have crates.
  @MainActor static func ofCargo(_ keyStyle: KeyStyle = .snakeCase) throws -> SyncContainer {
    try SyncContainer(
      for: Cargo.self, keyStyle: keyStyle, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  /// What all crates have, in the order of their identities.
  func cargoContents() throws -> [String] {
    try ModelContext(modelContainer).fetch(FetchDescriptor<Cargo>(sortBy: [SortDescriptor(\.id)])).map(\.content)
  }
}
