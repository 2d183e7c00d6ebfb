import SyncEngine

extension SyncJSON: PayloadConvertible {
  package func append(to builder: inout PayloadBuilder) throws(PayloadError) {
    switch self {
    case .string(let text): try builder.append(string: text)
    case .int(let number): try builder.append(integer: number)
    case .double(let number): try builder.append(double: number, isNative: true)
    case .decimal(let number): try builder.append(decimal: number)
    case .bool(let bool): builder.append(bool: bool, isNative: true)
    case .object(let members): try builder.append(object: members)
    case .array(let elements): try builder.append(array: elements)
    case .null: builder.appendNull()
    }
  }
}
