extension SyncReport {
  /// A payload object that was left out.
  public struct SkippedRow: Sendable, Equatable {
    /// Why it was left out.
    public enum Reason: Sendable, Equatable {
      /// None of the identity's keys has a readable value.
      case noIdentity
    }

    /// The position of the row in the payload.
    public let row: Int
    /// Where the row is in the payload, as a JSON pointer (RFC 6901) such as `/data/3`.
    public let pointer: String
    /// The entity that the payload is for.
    public let entity: String
    /// Why it was left out.
    public let reason: Reason
  }

  /// A value that was not stored as it stood in the payload.
  public struct ReplacedValue: Sendable, Equatable {
    /// What is wrong with the value.
    public enum Cause: Sendable, Equatable {
      /// It can't be converted to the attribute's type.
      case unreadable
      /// It is null, and the attribute isn't optional.
      case nullForRequired
      /// Only the beginning could be read.
      case partlyReadable
    }

    /// What was stored in its place.
    public enum Outcome: Sendable, Equatable {
      /// An optional attribute became nil.
      case cleared
      /// The default of the attribute's type.
      case setToDefault
      /// The stored value stays.
      case kept
      /// What could be read of it.
      case storedInPart
    }

    /// The position of the row in the payload; for a nested object that of the row which it belongs to.
    public let row: Int
    /// Where the value is in the payload, as a JSON pointer (RFC 6901) such as `/3/owner/name`.
    public let pointer: String
    /// The entity of the row whose attribute it is.
    public let entity: String
    /// The identity of the row (of the nested object, if the value is its), as text.
    public let identity: String
    /// The payload key under which the value was found.
    public let key: String
    /// The value as text, shortened.
    public let value: String
    /// What is wrong with it.
    public let cause: Cause
    /// What was done.
    public let outcome: Outcome
  }

  /// A relationship that was left as it is, because of what stands under its key.
  public struct IgnoredReference: Sendable, Equatable {
    /// Why it was left alone.
    public enum Reason: Sendable, Equatable {
      /// No row has the identity. The other identities of the same list are linked.
      case unknownIdentity
      /// The value is of another kind than the identity of the rows that the relationship leads to, or is no identity
      /// and no object at all.
      case mismatchedValue
      /// The value leaves rows out that can't be without an owner. They stay.
      case memberNeedsOwner
      /// The value adds or leaves out rows that were changed here and not pushed yet. These stay where they are.
      case memberHasLocalChanges
    }

    /// The position of the row in the payload; for a nested object that of the row which it belongs to.
    public let row: Int
    /// Where the value is in the payload, as a JSON pointer (RFC 6901) such as `/3/owner/name`.
    public let pointer: String
    /// The entity that has the relationship.
    public let entity: String
    /// The identity of the row that has it, as text.
    public let identity: String
    /// The name of the relationship.
    public let relationship: String
    /// The value as text, shortened.
    public let value: String
    /// Why it was left alone.
    public let reason: Reason
  }

  /// A key that one object has more than once. Keys that the model doesn't read are not looked at.
  public struct DuplicateKey: Sendable, Equatable {
    /// The position of the row in the payload; for a nested object that of the row which it belongs to.
    public let row: Int
    /// Where the key is in the payload, as a JSON pointer (RFC 6901) such as `/3/owner/name`.
    public let pointer: String
    /// The entity of the row that the object is.
    public let entity: String
    /// A later value of the key as text, shortened. An entry is made for each repetition; the value of the last one counted.
    public let value: String
  }

  /// Rows that had the same identity as a row that was kept, and were deleted.
  public struct RemovedDuplicates: Sendable, Equatable {
    /// The entity whose identities were not unique.
    public let entity: String
    /// How many rows were deleted.
    public var count: Int
  }
}
