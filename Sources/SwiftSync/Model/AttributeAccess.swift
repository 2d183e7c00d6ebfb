import Records

/// Reading and writing attributes. The accessors that `@Model` generates call these; which overload, the type decides.
extension ModelBacking {
  // MARK: Stored as they are

  /// Takes an attribute's first value, in an initialiser.
  public func initialize<Value: PersistentAttribute>(_ slot: Int, to value: Value) {
    begin(slot, .attribute(value.storedValue.field))
  }

  /// Takes an optional attribute's first value, in an initialiser. Nil is what it has without that, and what it has in each
  /// object that is made of a row until the row's values are there.
  @inlinable
  public func initialize<Value: PersistentAttribute>(_ slot: Int, to value: Value?) {
    if let value { initialize(slot, to: value) } else { initializeToNil(slot) }
  }

  @usableFromInline
  func initializeToNil(_ slot: Int) {
    if slot >= slotCount { return }
    begin(slot, .attribute(.null))
  }

  /// Reads an attribute. Inlinable, so that the call in a model is one of code for the attribute's type.
  @inlinable
  public func value<Model: PersistentModel, Value: PersistentAttribute>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Value>
  ) -> Value {
    registerAccess(of: model, keyPath)
    return Value.read(slot, of: self) ?? .standIn
  }

  /// Edits an attribute.
  public func set<Model: PersistentModel, Value: PersistentAttribute>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Value>, to value: Value
  ) {
    edit(slot, of: model, keyPath, to: .attribute(value.storedValue.field))
  }

  // MARK: Enums, stored as their raw value

  /// Takes an enum's first value, in an initialiser.
  @_disfavoredOverload
  public func initialize<Value: RawRepresentable & Codable & SendableMetatype>(_ slot: Int, to value: Value)
  where Value.RawValue: PersistentAttribute {
    begin(slot, .attribute(value.rawValue.storedValue.field))
  }

  /// Reads an enum.
  @_disfavoredOverload
  public func value<Model: PersistentModel, Value: RawRepresentable & Codable & SendableMetatype>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Value>
  ) -> Value where Value.RawValue: PersistentAttribute {
    registerAccess(of: model, keyPath)
    return enumValue(slot, of: model) ?? Value.standIn ?? unreadable(slot, of: model)
  }

  /// Edits an enum.
  @_disfavoredOverload
  public func set<Model: PersistentModel, Value: RawRepresentable & Codable & SendableMetatype>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Value>, to value: Value
  ) where Value.RawValue: PersistentAttribute {
    edit(slot, of: model, keyPath, to: .attribute(value.rawValue.storedValue.field))
  }

  /// Takes an optional enum's first value, in an initialiser.
  @_disfavoredOverload
  public func initialize<Value: RawRepresentable & Codable & SendableMetatype>(_ slot: Int, to value: Value?)
  where Value.RawValue: PersistentAttribute {
    begin(slot, .attribute(value?.rawValue.storedValue.field ?? .null))
  }

  /// Reads an optional enum.
  @_disfavoredOverload
  public func value<Model: PersistentModel, Value: RawRepresentable & Codable & SendableMetatype>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Value?>
  ) -> Value? where Value.RawValue: PersistentAttribute {
    registerAccess(of: model, keyPath)
    return enumValue(slot, of: model)
  }

  /// Edits an optional enum.
  @_disfavoredOverload
  public func set<Model: PersistentModel, Value: RawRepresentable & Codable & SendableMetatype>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Value?>, to value: Value?
  ) where Value.RawValue: PersistentAttribute {
    edit(slot, of: model, keyPath, to: .attribute(value?.rawValue.storedValue.field ?? .null))
  }

  // MARK: Other Codable values, stored as JSON text

  /// Takes a `Codable` value, in an initialiser.
  @_disfavoredOverload
  public func initialize<Value: Codable & SendableMetatype>(_ slot: Int, to value: Value) {
    begin(slot, .composite(value))
  }

  /// Reads a `Codable` value. It is decoded once and kept.
  @_disfavoredOverload
  public func value<Model: PersistentModel, Value: Codable & SendableMetatype>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Value>
  ) -> Value {
    registerAccess(of: model, keyPath)
    if case .composite(let kept) = content(of: slot), let value = kept as? Value { return value }
    let field = field(in: slot)
    let stored = try? CompositeCoding.decode(Value.self, from: field)
    if stored == nil, field != .null { noteUnreadable(slot, of: model) }
    guard let value = stored ?? StandIn.value(of: Value.self) else { return unreadable(slot, of: model) }
    setContent(.composite(value), in: slot, isEdited: false)
    return value
  }

  /// Edits a `Codable` value. It is encoded when it is saved.
  @_disfavoredOverload
  public func set<Model: PersistentModel, Value: Codable & SendableMetatype>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Value>, to value: Value
  ) {
    edit(slot, of: model, keyPath, to: .composite(value))
  }

  // MARK: Shared

  private func enumValue<Value: RawRepresentable>(_ slot: Int, of model: any PersistentModel) -> Value?
  where Value.RawValue: PersistentAttribute {
    if let raw = Value.RawValue.read(slot, of: self), let value = Value(rawValue: raw) { return value }
    if field(in: slot) != .null { noteUnreadable(slot, of: model) }
    return nil
  }

  /// The attribute's value as edited, or as stored.
  func field(in slot: Int) -> FieldValue {
    if case .attribute(let field) = content(of: slot) { return field }
    guard let record, let index = binding?.field(of: slot) else { return .null }
    let value = record.value(index)
    if case .external(let reference) = value { return content(reference, of: index) }
    return value
  }

  func begin(_ slot: Int, _ content: SlotContent) {
    // Every optional property is set to nil before the initialiser that makes the object of a row discards it again.
    if content.isNull, slot >= slotCount { return }
    setContent(content, in: slot, isEdited: true)
  }

  private func edit<Model: PersistentModel, Value>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Value>, to content: SlotContent
  ) {
    checkPresence(of: model)
    mutate(model, keyPath) {
      setContent(content, in: slot, isEdited: true)
    }
    context?.noteEdit(of: model)
  }

  /// What a value that its type cannot read comes to: the one that the declaration begins with.
  ///
  /// Never reached by way of a row: that is checked against the class (`ModelBinding.record`) before an object is made of it or
  /// refreshed from it, and what has no stand-in is read then too. An initialiser sets every slot. Only an object that stands for
  /// no row lacks values (`ModelContext.model(for:)` with the identifier of a deleted one). It has stand-ins, or initial values:
  /// no container is made of a class of which an attribute has neither (`SchemaDeclarationError.noStandIn`). So what is left is a
  /// program that makes objects of a class of which no container can be made.
  private func unreadable<Value>(_ slot: Int, of model: any PersistentModel) -> Value {
    let table = type(of: model).modelTable
    if let initial = table.properties[slot].initialValue?() as? Value { return initial }
    preconditionFailure(
      "\(table.name).\(table.properties[slot].name) has no stand-in, which making a container refuses.")
  }
}
