import Records

/// What an object says about the attributes of an entity, read without a sync.
package struct ReadAttributes: Sendable {
  /// The attributes that it has something to say of, the identity among them, each with what a sync would store.
  package internal(set) var values: [(name: String, value: FieldValue)] = []
  /// The attributes of which it has a value that can't be stored.
  package internal(set) var unreadable: [String] = []
}

extension MappingPlans {
  /// Reads the attributes of one object.
  ///
  /// - Returns: Nil if there is no entity with this name, or the document is no object.
  package func readAttributes(
    of document: PayloadDocument, as entity: String, in catalog: Catalog,
    convention: MappingConvention = MappingConvention()
  ) -> ReadAttributes? {
    guard let plan = plan(for: entity, in: catalog, convention: convention) else { return nil }
    return document.read { object in
      guard object.kind == .object else { return nil }
      let values = RowReader(plan.keys)
      return withExtendedLifetime(values) { plan.readAttributes(in: values.read(object)) }
    }
  }
}

extension MappingPlan {
  fileprivate func readAttributes(in values: RowValues) -> ReadAttributes {
    var result = ReadAttributes()
    if let identity {
      if let found = identity.find(in: values) {
        result.values.append((identity.attribute.name, found.value.fieldValue(as: identity.attribute.type)))
      } else if identity.unreadable(in: values) != nil {
        result.unreadable.append(identity.attribute.name)
      }
    }
    for attribute in attributes {
      if let value = attribute.storedValue(in: values) {
        result.values.append((attribute.name, value))
      } else if attribute.candidates.contains(where: { values.value($0) != nil }) {
        result.unreadable.append(attribute.name)
      }
    }
    return result
  }
}

extension AttributePlan {
  /// What an object has for the attribute, as a sync would store it; nil if it says nothing that can be read.
  func storedValue(in values: RowValues) -> FieldValue? {
    var isNull = false
    for candidate in candidates {
      guard let value = values.value(candidate) else { continue }
      if value.isNull {
        isNull = true
      } else if let reader {
        if let result = reader.read(value, as: attribute.type) { return result.field }
      } else if let result = Coercion.convert(value, to: attribute.type) {
        return result.value.fieldValue(as: attribute.type)
      }
    }
    return isNull && attribute.isOptional ? .null : nil
  }
}
