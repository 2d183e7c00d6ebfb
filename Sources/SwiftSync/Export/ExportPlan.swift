import SyncEngine

/// The keys that an export of a class's objects has, and what stands under each (contract, sections 11.1 and 11.2).
struct ExportPlan {
  struct Member {
    let key: String
    var content: Content
  }

  /// What stands under a key.
  enum Content {
    /// Whether the class says `Int64` or `UInt64` of it, which code that looks into an export may cast to.
    case attribute(ModelProperty, isOf64Bits: Bool)
    /// The object at the far end of a to-one relationship, or those of a to-many one; null and none if their class is not
    /// synced.
    case objects(ModelProperty)
    /// The identity, or identities, of what a relationship leads to.
    case identities(ModelProperty, identity: ModelProperty)
    /// An object of the members whose keys have the same beginning before a dot.
    case group([Member])
  }

  /// In the order of the declarations.
  private(set) var members: [Member] = []

  init(_ table: ModelTable, _ style: KeyStyle, _ options: ExportOptions) {
    for property in table.properties where property.isExported {
      guard let relationship = property.relationship else {
        let key = property.remoteKey ?? property.attribute?.primaryKeyRemote ?? style.exportKey(for: property.name)
        Self.set(.attribute(property, isOf64Bits: property.isOf64Bits), at: key, in: &members)
        continue
      }
      let destination = relationship.destination()
      switch options.relationships {
      case .nested:
        let key = property.remoteKey ?? style.exportKey(for: property.name)
        Self.set(.objects(property), at: key, in: &members)
      case .identities:
        guard destination is any SyncUpdatableModel.Type, let identity = destination.modelTable.identity else {
          continue
        }
        let key = property.remoteKey ?? style.exportKey(for: Self.identitiesKey(of: property.name, relationship))
        Self.set(.identities(property, identity: identity), at: key, in: &members)
      case .excluded: break
      }
    }
  }

  private static func identitiesKey(of name: String, _ relationship: RelationshipTrait) -> String {
    relationship.isToMany ? "\(RelationshipKeys.singular(of: name))_ids" : "\(name)_id"
  }

  /// Sets a content under a key, whose dots lead into groups: `state.id` and `state.label` share one object `state`.
  ///
  /// The last content for a place wins; a group takes the place of a value that is in its way, and the reverse. Empty
  /// segments count for nothing, and a key of nothing else sets nothing.
  private static func set(_ content: Content, at key: String, in members: inout [Member]) {
    set(content, at: key.split(separator: ".")[...], in: &members)
  }

  private static func set(_ content: Content, at segments: ArraySlice<Substring>, in members: inout [Member]) {
    guard let first = segments.first.map(String.init) else { return }
    let place = members.firstIndex { $0.key == first }
    var content = content
    if segments.count > 1 {
      var group: [Member] = []
      if let place, case .group(let members) = members[place].content { group = members }
      set(content, at: segments.dropFirst(), in: &group)
      content = .group(group)
    }
    if let place {
      members[place].content = content
    } else {
      members.append(Member(key: first, content: content))
    }
  }
}

/// The plans of one export, made when they are first needed.
final class ExportPlans {
  let keyStyle: KeyStyle
  let options: ExportOptions
  private var plans: [ObjectIdentifier: ExportPlan] = [:]

  init(_ keyStyle: KeyStyle, _ options: ExportOptions) {
    self.keyStyle = keyStyle
    self.options = options
  }

  func plan(for table: ModelTable) -> ExportPlan {
    if let plan = plans[ObjectIdentifier(table)] { return plan }
    let plan = ExportPlan(table, keyStyle, options)
    plans[ObjectIdentifier(table)] = plan
    return plan
  }
}

extension ModelProperty {
  fileprivate var isOf64Bits: Bool {
    let type: Any.Type = Swift.type(of: keyPath).valueType
    return type == Int64.self || type == UInt64.self || type == Int64?.self || type == UInt64?.self
  }
}
