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

  func members<Related: PersistentModel>(of slot: Int, as type: Related.Type) -> [Related] {
    let linked = linkedMembers(of: slot, as: type)
    if !mayHideMembers(of: slot) { return linked }
    let present = linked.filter { $0._$backing.isPresent }
    if present.count < linked.count { return present }
    if let graph, case .toMany = content(of: slot) {
      updateMembership(of: slot) { $0.presenceCheck = graph.hidingMark }
    }
    return linked
  }

  /// Whether some of the members may be deleted. Looking at each takes longer than all else that reading a list does.
  private func mayHideMembers(of slot: Int) -> Bool {
    if isForgotten { return true }
    guard case .toMany(let membership) = content(of: slot) else { return graph?.mayHideMembers == true }
    guard let graph else { return membership.mayHoldDeleted }
    return graph.mayHideMembers && membership.presenceCheck !== graph.hidingMark
  }

  /// The members of a relationship, whatever their class.
  func members(of property: ModelProperty) -> [any PersistentModel] {
    func open<Related: PersistentModel>(_ type: Related.Type) -> [any PersistentModel] {
      members(of: property.slot, as: type)
    }
    return property.relationship.map { open($0.destination()) } ?? []
  }

  private func linkedDestination(of slot: Int) -> (any PersistentModel)? {
    if case .toOne(let edited) = content(of: slot) { return edited }
    guard let record, let graph, let binding, let index = binding.field(of: slot),
      let row = record.withView({ $0.row(index) })
    else { return nil }
    return graph.object(row, at: binding.destination(of: slot))
  }

  private func linkedMembers<Related: PersistentModel>(of slot: Int, as type: Related.Type) -> [Related] {
    guard case .toMany = content(of: slot) else { return storedMembers(of: slot, as: type) }
    updateMembership(of: slot) { $0.bringListUpToDate() }
    guard case .toMany(let membership) = content(of: slot) else { return [] }
    return membership.members(of: type) { storedMembers(of: slot, as: type) }
  }

  private func storedMembers<Related: PersistentModel>(of slot: Int, as type: Related.Type) -> [Related] {
    guard state != .inserted, state != .unmanaged, let graph, let binding, let row = storedRow else { return [] }
    return graph.members(of: slot, owner: row, in: binding, as: type)
  }

  var isPresent: Bool { state != .deleted && state != .gone }

  // MARK: Assigning

  func setDestination<Model: PersistentModel>(of slot: Int, of model: Model, to related: (any PersistentModel)?) {
    let related = related.map { own($0) }
    checkPresence(of: model)
    if let related { checkPresence(of: related) }
    let previous = linkedDestination(of: slot)
    let table = Model.modelTable
    keepingInStep(with: related) {
      setContent(.toOne(related), in: slot, isEdited: true)
      if let inverse = inverse(of: slot, in: table), previous !== related {
        previous?._$backing.dropInverse(inverse, model, on: previous)
        related?._$backing.addInverse(inverse, model, on: related)
      }
      joinContext(of: related, model)
      context?.noteEdit(of: model)
    }
  }

  func setMembers<Model: PersistentModel, Related: PersistentModel>(
    of slot: Int, of model: Model, to members: [Related]
  ) {
    let difference = difference(of: slot, to: members)
    checkPresence(of: model)
    for member in difference.added { checkPresence(of: member) }
    keepingInStep(with: difference.added.first ?? difference.removed.first) {
      adoptReadMembers(of: slot)
      updateMembership(of: slot, isEdit: true) { $0.assign(difference) }
      if let inverse = inverse(of: slot, in: Model.modelTable) {
        for member in difference.removed { member._$backing.dropInverse(inverse, model, on: member) }
        for member in difference.added { member._$backing.addInverse(inverse, model, on: member) }
      }
      for member in difference.added { joinContext(of: member, model) }
      context?.noteEdit(of: model)
    }
  }

  private func difference<Related: PersistentModel>(
    of slot: Int, to members: [Related]
  ) -> MemberDifference<Related> {
    let previous = linkedMembers(of: slot, as: Related.self)
    let difference = MemberDifference(from: previous, to: members)
    if difference.added.allSatisfy({ own($0) === $0 }) { return difference }
    return MemberDifference(from: previous, to: members.map { own($0) as? Related ?? $0 })
  }

  /// Runs a closure that changes both directions of a relationship, and tells the observers of the other one afterwards: they may
  /// save or roll back, which must not find half of it.
  private func keepingInStep(with related: (any PersistentModel)?, _ body: () -> Void) {
    if let context = context ?? related?._$backing.context { context.announcing(body) } else { body() }
  }

  /// Has the context throw that an object was used after its row was deleted.
  func checkPresence(of model: any PersistentModel) {
    guard model._$backing.state == .gone, let graph = graph ?? model._$backing.graph else { return }
    graph.note(
      ModelError.deletedObject(entity: type(of: model).modelTable.name, identifier: "\(model.persistentModelID)"))
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

  func inverse(of slot: Int, in table: ModelTable) -> ModelProperty? {
    binding?.inverse(of: slot) ?? InverseDirectory.shared.inverse(of: slot, in: table)
  }

  /// Makes `owner` part of this object's side of a relationship.
  private func addInverse(_ inverse: ModelProperty, _ owner: any PersistentModel, on model: (any PersistentModel)?) {
    guard let model, isOwn(owner) else { return }
    let table = type(of: model).modelTable
    if inverse.relationship?.isToMany == true {
      updateMembership(of: inverse.slot) { $0.add(owner) }
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
      updateMembership(of: inverse.slot) { $0.remove(owner) }
    } else if linkedDestination(of: inverse.slot) === owner {
      setContent(.toOne(nil), in: inverse.slot, isEdited: true)
    }
    changed(inverse, of: model)
  }

  private func changed(_ property: ModelProperty, of model: any PersistentModel) {
    guard let context else { return property.notify(model) }
    if isEdited(property.slot) { context.noteEdit(of: model) } else { context.noteTouch(of: model) }
    context.announce(property, of: model)
  }
}
