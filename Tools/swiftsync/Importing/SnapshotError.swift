/// Why a snapshot can't be imported. Each case says where in the document.
enum SnapshotError: Error, Equatable {
  case notASnapshot
  case newerVersion(Int)
  /// Rows of it lead to others that it does not have.
  case partial
  case missing(member: String, pointer: String)
  case unreadable(pointer: String, value: String, expected: String)
  /// The row that a relationship leads to is not in the document.
  case unknownReference(pointer: String, entity: String, key: String)
  case unknownMember(pointer: String, entity: String)
}

extension SnapshotError: CustomStringConvertible {
  var description: String {
    switch self {
    case .notASnapshot: "It is no snapshot that 'swiftsync export' has written."
    case .newerVersion(let version): "It is a snapshot of version \(version), which this tool does not know."
    case .partial: "It is a snapshot of a part of a store, whose rows may lead to others that it does not have."
    case .missing(let member, let pointer): "There is no \(member) at \(pointer)."
    case .unreadable(let pointer, let value, let expected): "\(value) at \(pointer) is to be \(expected)."
    case .unknownReference(let pointer, let entity, let key):
      "\(key) at \(pointer) leads to a row of \(entity) that is not there."
    case .unknownMember(let pointer, let entity): "\(pointer) is no property of \(entity)."
    }
  }
}
