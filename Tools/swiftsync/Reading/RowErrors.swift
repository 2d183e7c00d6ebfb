import Records

/// No row has the number.
struct NoSuchRow: Error, Equatable, CustomStringConvertible {
  let entity: String
  let row: String

  var description: String { "There is no row \(row) of \(entity)." }
}

/// No row has the identity, or none can.
struct NoSuchIdentity: Error, CustomStringConvertible {
  let entity: String
  let attribute: Attribute
  let text: String
  let isReadable: Bool

  var description: String {
    isReadable
      ? "There is no \(entity) with the \(attribute.name) '\(text)'."
      : "There is no \(entity) with the \(attribute.name) '\(text)': it is of the type \(attribute.type.rawValue)."
  }
}

/// The entity's rows have no identity.
struct NoIdentity: Error, Equatable, CustomStringConvertible {
  let entity: String

  var description: String { "Rows of \(entity) have no identity; name one by its number: --row 1." }
}

/// Several rows have the identity.
struct AmbiguousIdentity: Error, Equatable, CustomStringConvertible {
  let entity: String
  let text: String
  let rows: [RowNumber]

  var description: String {
    let numbers = rows.prefix(5).map { "\($0.rawValue)" }.joined(separator: ", ") + (rows.count > 5 ? ", …" : "")
    return "\(rows.count) rows of \(entity) have the identity '\(text)'; name one by its number: --row \(numbers)."
  }
}

/// The entity has no property with the name.
struct UnknownProperty: Error, CustomStringConvertible {
  let name: String
  let entity: Entity
  let known: [String]

  var description: String {
    known.isEmpty
      ? "\(entity.name) has no \(name); it has nothing of that kind."
      : "\(entity.name) has no \(name); it has \(known.joined(separator: ", "))."
  }
}
