import Foundation
import Records

extension FetchDescriptor {
  /// The order in the store's terms; nil if a part of it takes objects to compare.
  func storeOrder(_ binding: ModelBinding) -> [OrderTerm]? {
    var terms: [OrderTerm] = []
    for descriptor in sortBy {
      guard let keyPath = descriptor.keyPath, let term = binding.orderTerm(keyPath, descriptor.order == .forward)
      else { return nil }
      terms.append(term)
    }
    return terms
  }
}

extension ModelBinding {
  /// The order by an attribute whose type the store sorts as Swift does. An enum may be ordered by other means than its raw
  /// value, and how a composite value is ordered only its type knows.
  fileprivate func orderTerm(_ keyPath: AnyKeyPath, _ isAscending: Bool) -> OrderTerm? {
    if let field = sortableField(keyPath) { return OrderTerm(.field(field), ascending: isAscending) }
    for property in table.properties {
      guard let field = sortableField(property.keyPath), property.attribute?.type.type == .string,
        (property.keyPath as AnyKeyPath).appending(path: localizedPath(property)) == keyPath
      else { continue }
      return OrderTerm(.field(field), ascending: isAscending, text: .localizedStandard)
    }
    return nil
  }

  private func sortableField(_ keyPath: AnyKeyPath) -> FieldIndex? {
    guard let property = table.property(at: keyPath), let attribute = property.attribute, attribute.reader == nil
    else { return nil }
    return field(of: property.slot)
  }

  private func localizedPath(_ property: ModelProperty) -> AnyKeyPath {
    property.attribute?.type.isOptional == true ? \String?.localizedStandardOrder : \String.localizedStandardOrder
  }
}
