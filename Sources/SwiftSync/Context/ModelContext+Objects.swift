import Records

/// Finding and making the objects of rows.
extension ModelContext {
  /// The object with an identifier.
  ///
  /// The result is never nil: for a row that is gone, or of another container, it is an object that `isDeleted` and has
  /// no values. Use `registeredModel(for:)` or a fetch where absence matters.
  public func model(for identifier: PersistentIdentifier) -> any PersistentModel {
    if let known = graph.reading({ try read { _ in lookUp(identifier) } }) { return known }
    let type = core.schema.modelTypes.first { $0.modelTable.name == identifier.entityName } ?? UnknownModel.self
    return type.init(_$backing: .missing)
  }

  /// The object with an identifier if this context has it already and it is not deleted.
  public func registeredModel<Model: PersistentModel>(for identifier: PersistentIdentifier) -> Model? {
    guard let row = identifier.row else {
      return unsaved.inserted.objects.first { $0.persistentModelID == identifier } as? Model
    }
    guard identifier.storeIdentifier == core.storeIdentifier, identifier.entityName == Model.modelTable.name,
      let binding = try? core.binding(of: Model.self),
      let model = graph.registered[row, binding.entity.id] as? Model, !model.isDeleted
    else { return nil }
    return model
  }

  private func lookUp(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
    guard let row = identifier.row else {
      return unsaved.inserted.objects.first { $0.persistentModelID == identifier }
    }
    guard identifier.storeIdentifier == core.storeIdentifier,
      let entity = core.store.catalog.entity(named: identifier.entityName)
    else { return nil }
    return graph.object(row, at: entity.id)
  }
}
