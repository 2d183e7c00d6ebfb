import FoundationEssentials

extension SyncReport {
  /// A row that was changed here and on the server.
  public struct Conflict: Sendable, Equatable {
    /// What the two sides did.
    public enum Kind: Sendable, Equatable {
      /// Both changed the row, or both made one with its identity.
      case changedOnBoth
      /// It was deleted here, and the server's differs from what was deleted.
      case deletedHere
      /// It was changed here, and the payload that lists all rows of the server doesn't list it.
      case missingOnServer
      /// It was changed here, and a row that it would go with, by a cascade, is not listed. As long as it is kept, that one stays too.
      case ownerMissingOnServer
      /// It was linked here to a row that is not listed and has gone. The link is lost, whatever the policy: nothing is left to link to.
      case linkLost
    }

    /// A property in which the server's version differs.
    public struct Value: Sendable, Equatable {
      /// The name of the attribute or to-one relationship.
      public let property: String
      /// What the server was last known to have, before either side changed it; nil when that isn't known.
      public let base: SyncValue?
      /// What the row has here; nil when it was deleted here.
      public let local: SyncValue?
      /// What the server has.
      public let server: SyncValue
      /// Whether the server's value was taken.
      public internal(set) var isServerTaken = false
    }

    /// The position of the row in the payload; for a nested object that of the row which it belongs to. Nil for a row that the
    /// payload doesn't list.
    public let row: Int?
    /// Where the row is in the payload, as a JSON pointer (RFC 6901) such as `/data/3`; empty for one that isn't listed.
    public let pointer: String
    /// The entity of the row.
    public let entity: String
    /// The identity of the row, as text.
    public let identity: String
    /// What the two sides did.
    public let kind: Kind
    /// Where the server's version differs from what was known and from what is here.
    public internal(set) var values: [Value]
    /// The to-many relationships of a row of `changedOnBoth` that have other members there than here. They are never merged: which side has
    /// changed them isn't known, because what the server had of them is not kept.
    public internal(set) var lists: [String] = []
    /// What was decided.
    public internal(set) var resolution = SyncConflictResolution.local
  }
}

/// The value of an attribute or to-one relationship, as it is stored: of an enum the raw value, of another `Codable` type the JSON text.
public enum SyncValue: Sendable, Equatable {
  /// No value, or no row.
  case null
  /// A truth value.
  case bool(Bool)
  /// A number of any signed type.
  case integer(Int64)
  /// A number of any unsigned type.
  case unsigned(UInt64)
  /// A number of either floating-point type.
  case double(Double)
  /// A decimal number.
  case decimal(Decimal)
  /// A text.
  case string(String)
  /// A date.
  case date(Date)
  /// A UUID.
  case uuid(UUID)
  /// The absolute text of a URL.
  case url(String)
  /// Bytes.
  case data(Data)
  /// The JSON text of a `Codable` value.
  case json(String)
  /// The identity, as text, of the row that a relationship leads to; empty when it has none.
  case row(String)
}

extension SyncValue: CustomStringConvertible {
  /// The value as text: of a string itself, of bytes how many they are.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .string(let value), .url(let value), .json(let value), .row(let value): value
    case .date(let value): DateFormat.text(of: value.timeIntervalSinceReferenceDate)
    case .uuid(let value): value.uuidString
    case .data(let value): "\(value.count) bytes"
    }
  }
}
