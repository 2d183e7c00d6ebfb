import FoundationEssentials
import Records

extension AttributeType {
  /// What null becomes where an attribute isn't optional; nil where there is no such value.
  package var valueForNull: FieldValue? {
    switch self {
    case .bool: .bool(false)
    case .int8, .int16, .int32, .int64: .int(0)
    case .uint8, .uint16, .uint32, .uint64: .uint(0)
    case .float: .float(0)
    case .double: .double(0)
    case .decimal: .decimal(0)
    case .string: .string("")
    case .date: .date(Date(timeIntervalSince1970: 0))
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .data: .data(Data())
    case .url, .composite: nil
    }
  }
}
