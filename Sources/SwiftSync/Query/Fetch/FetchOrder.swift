import Foundation
import Records

extension FetchDescriptor {
  /// The order in the store's terms; nil if a part of it takes objects to compare.
  func storeOrder(_ binding: ModelBinding, in core: ContainerCore, _ pending: PendingEntities) -> [OrderTerm]? {
    var terms: [OrderTerm] = []
    for descriptor in sortBy {
      guard let keyPath = descriptor.keyPath, let key = binding.sortKey(keyPath, in: core, pending) else { return nil }
      terms.append(OrderTerm(key.operand, ascending: descriptor.order == .forward, text: key.textOrder))
    }
    return terms
  }
}

extension ModelBinding {
  typealias SortKey = (operand: Operand, textOrder: TextOrder)

  /// What the store sorts by to sort as objects do by a key path: an attribute, perhaps of another row at the end of to-one
  /// relationships, if its type is one that the store sorts as Swift does. An enum may be ordered by other means than its raw
  /// value, and how a composite value is ordered only its type knows.
  fileprivate func sortKey(
    _ keyPath: AnyKeyPath, in core: ContainerCore, _ pending: PendingEntities
  ) -> SortKey? {
    if let property = table.property(at: keyPath) { return sortKey(property, .lexical) }
    for property in table.properties {
      let localized: AnyKeyPath =
        property.attribute?.type.isOptional == true ? \String?.localizedStandardOrder : \String.localizedStandardOrder
      if (property.keyPath as AnyKeyPath).appending(path: localized) == keyPath {
        return sortKey(property, .localizedStandard)
      }
    }
    return sortKey(KeyPathComponents(keyPath), in: core, pending)
  }

  private func sortKey(_ property: ModelProperty, _ textOrder: TextOrder) -> SortKey? {
    guard let attribute = property.attribute, attribute.reader == nil, let field = field(of: property.slot)
    else { return nil }
    return (.field(field), textOrder)
  }

  /// Follows a key path through relationships.
  private func sortKey(
    _ components: KeyPathComponents, in core: ContainerCore, _ pending: PendingEntities
  ) -> SortKey? {
    for property in table.properties {
      guard let rest = components.dropping(property.keyPath) else { continue }
      if rest.isEmpty { return sortKey(property, .lexical) }
      guard let relationship = relationship(of: property.slot), !relationship.isToMany,
        let destination = core.binding(of: relationship.destination),
        !pending.changed.contains(relationship.destination), !pending.deleted.contains(relationship.destination),
        let key = destination.sortKey(rest, in: core, pending)
      else { return nil }
      return (.destination(relationship, key.operand), key.textOrder)
    }
    return nil
  }
}

/// The components of a key path, as far as they can be told.
///
/// Swift takes no key path apart, but the description of one lists its components, and a component looks the same in every key
/// path that it is part of: the name of a stored property, or where the code of a computed one is. A description that looks
/// different in a later version is not recognised, and objects are sorted instead of rows.
struct KeyPathComponents {
  /// What is left of the description, without the name of the type that the key path starts from.
  private let text: Substring

  init(_ keyPath: AnyKeyPath) {
    let description = "\(keyPath)"
    text = description[(description.firstIndex(of: ".") ?? description.endIndex)...]
  }

  private init(_ text: Substring) {
    self.text = text
  }

  var isEmpty: Bool { text.isEmpty }

  /// What comes after the component that another key path consists of; nil if it does not come first.
  func dropping(_ keyPath: AnyKeyPath) -> KeyPathComponents? {
    let first = KeyPathComponents(keyPath).text
    guard text.hasPrefix(first) else { return nil }
    var rest = text.dropFirst(first.count)
    // Through an optional, and at the end back to one.
    if rest.first == "?" { rest = rest.dropFirst() }
    return rest.isEmpty || rest.first == "." ? KeyPathComponents(rest) : nil
  }
}
