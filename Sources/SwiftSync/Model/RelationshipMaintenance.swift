/// Keeps the two directions of relationships in step, in memory, from the moment of an assignment.
///
/// The direction that the application assigned is an edit that a save writes. The other direction is brought up to date so
/// that reading it before the save shows the same. Where that is a to-one it is an edit too: the place in its record may have
/// been taken from somebody and given up again, and then no edit of a membership says so. Where it is a to-many, the store
/// derives it.
///
/// Objects that are to be deleted are not shown, but keep their links and lose them like all others, because the deletion
/// may be taken back, and because its rules follow links.
extension ModelBacking {
  // MARK: Reading

  func destination(of slot: Int) -> (any PersistentModel)? {
    let linked = linkedDestination(of: slot)
    return linked?._$backing.isPresent == true ? linked : nil
  }

  func members(of slot: Int) -> [any PersistentModel] {
    linkedMembers(of: slot).filter { $0._$backing.isPresent }
  }

  private func linkedDestination(of slot: Int) -> (any PersistentModel)? {
    if case .toOne(let edited) = content(of: slot) { return edited }
    guard let record, let graph, let binding, let index = binding.field(of: slot),
      let row = record.withView({ $0.row(index) })
    else { return nil }
    return graph.object(row, at: binding.destination(of: slot))
  }

  private func linkedMembers(of slot: Int) -> [any PersistentModel] {
    switch content(of: slot) {
    case .toMany(let members): members
    case .memberChanges(let changes): changes.applied(to: storedMembers(of: slot))
    default: storedMembers(of: slot)
    }
  }

  private func storedMembers(of slot: Int) -> [any PersistentModel] {
    guard state != .inserted, state != .unmanaged, let graph, let binding, let row = storedRow else { return [] }
    return graph.members(of: slot, owner: row, in: binding)
  }

  private var isPresent: Bool { state != .deleted && state != .gone }

  // MARK: Assigning

  func setDestination<Model: PersistentModel>(of slot: Int, of model: Model, to related: (any PersistentModel)?) {
    let related = related.map { own($0) }
    let previous = linkedDestination(of: slot)
    let table = Model.modelTable
    setContent(.toOne(related), in: slot, isEdited: true)
    if let inverse = inverse(of: slot, in: table), previous !== related {
      previous?._$backing.dropInverse(inverse, model, on: previous)
      related?._$backing.addInverse(inverse, model, on: related)
    }
    joinContext(of: related, model)
    context?.noteEdit(of: model)
  }

  func setMembers<Model: PersistentModel>(of slot: Int, of model: Model, to members: [any PersistentModel]) {
    let table = Model.modelTable
    let members = distinct(members.map { own($0) })
    if let inverse = inverse(of: slot, in: table) {
      let previous = linkedMembers(of: slot)
      let kept = Set(members.map { ObjectIdentifier($0) })
      let known = Set(previous.map { ObjectIdentifier($0) })
      setContent(.toMany(members), in: slot, isEdited: true)
      for member in previous where !kept.contains(ObjectIdentifier(member)) {
        member._$backing.dropInverse(inverse, model, on: member)
      }
      for member in members where !known.contains(ObjectIdentifier(member)) {
        member._$backing.addInverse(inverse, model, on: member)
      }
    } else {
      setContent(.toMany(members), in: slot, isEdited: true)
    }
    for member in members { joinContext(of: member, model) }
    context?.noteEdit(of: model)
  }

  /// This context's object for an object of another context of the same container: a row has one object in a context.
  private func own(_ related: any PersistentModel) -> any PersistentModel {
    let other = related._$backing
    guard let graph, let otherGraph = other.graph, otherGraph !== graph, otherGraph.core === graph.core,
      let row = other.storedRow
    else { return related }
    return graph.object(row, at: other.binding?.entity.id) ?? related
  }

  /// Whether the other direction of a link to an object is this context's to keep.
  private func isOwn(_ related: any PersistentModel) -> Bool {
    guard let graph, let other = related._$backing.graph else { return true }
    return other === graph
  }

  /// Enters the object into the other direction of the relationships that its initialiser set, and thereby into the context
  /// of what it is related to.
  func connectInitialRelationships<Model: PersistentModel>(of model: Model) {
    guard !unconnected.isEmpty else { return }
    let slots = unconnected
    unconnected = []
    for slot in slots {
      let inverse = inverse(of: slot, in: Model.modelTable)
      for related in relatedObjects(in: slot) {
        if let inverse { related._$backing.addInverse(inverse, model, on: related) }
        joinContext(of: related, model)
      }
    }
  }

  /// An object that is related to a context's object belongs to that context.
  private func joinContext<Model: PersistentModel>(of related: (any PersistentModel)?, _ model: Model) {
    guard let related else { return }
    if let context, related._$backing.context == nil, related._$backing.state == .unmanaged {
      context.insertAny(related)
    } else if context == nil, state == .unmanaged, let other = related._$backing.context {
      other.insertAny(model)
    }
  }

  // MARK: The other direction

  private func inverse(of slot: Int, in table: ModelTable) -> ModelProperty? {
    binding?.inverse(of: slot) ?? InverseDirectory.shared.inverse(of: slot, in: table)
  }

  /// Makes `owner` part of this object's side of a relationship.
  private func addInverse(_ inverse: ModelProperty, _ owner: any PersistentModel, on model: (any PersistentModel)?) {
    guard let model, isOwn(owner) else { return }
    let table = type(of: model).modelTable
    if inverse.relationship?.isToMany == true {
      updateMembers(
        of: inverse,
        ifRead: { members in if !members.contains(where: { $0 === owner }) { members.append(owner) } },
        ifUnread: { $0.add(owner) })
    } else {
      // The place may be taken: the one who has it loses it.
      if let partner = linkedDestination(of: inverse.slot), partner !== owner,
        let back = self.inverse(of: inverse.slot, in: table)
      {
        partner._$backing.dropInverse(back, model, on: partner)
      }
      setContent(.toOne(owner), in: inverse.slot, isEdited: true)
    }
    changed(inverse, of: model)
  }

  /// Takes `owner` out of this object's side of a relationship.
  private func dropInverse(_ inverse: ModelProperty, _ owner: any PersistentModel, on model: (any PersistentModel)?) {
    guard let model else { return }
    if inverse.relationship?.isToMany == true {
      updateMembers(
        of: inverse, ifRead: { $0.removeAll { $0 === owner } }, ifUnread: { $0.remove(owner) })
    } else if linkedDestination(of: inverse.slot) === owner {
      setContent(.toOne(nil), in: inverse.slot, isEdited: true)
    }
    changed(inverse, of: model)
  }

  private func updateMembers(
    of inverse: ModelProperty, ifRead: (inout [any PersistentModel]) -> Void,
    ifUnread: (inout MemberChanges) -> Void
  ) {
    switch content(of: inverse.slot) {
    case .toMany(var members):
      ifRead(&members)
      setDerived(.toMany(members), of: inverse)
    case .memberChanges(var changes):
      ifUnread(&changes)
      setDerived(.memberChanges(changes), of: inverse)
    default:
      var changes = MemberChanges()
      ifUnread(&changes)
      setDerived(.memberChanges(changes), of: inverse)
    }
  }

  /// A derived membership is no edit, but does not undo that one was made.
  private func setDerived(_ content: SlotContent, of property: ModelProperty) {
    setContent(content, in: property.slot, isEdited: isEdited(property.slot))
  }

  private func changed(_ property: ModelProperty, of model: any PersistentModel) {
    if isEdited(property.slot) { context?.noteEdit(of: model) } else { context?.noteTouch(of: model) }
    property.notify(model)
  }
}

/// The objects in order, each once.
func distinct<Model>(_ models: [Model]) -> [Model] {
  var seen: Set<ObjectIdentifier> = []
  return models.filter { seen.insert(ObjectIdentifier($0 as AnyObject)).inserted }
}
