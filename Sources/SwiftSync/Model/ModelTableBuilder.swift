import Foundation
import Records
import SyncEngine

/// Collects a model's table, a property a call. Only the code that `@Model` generates calls it.
///
/// The overloads of `property` are how attributes and relationships are told apart: by the type checker, which knows what
/// an alias or a nested name stands for, and not by the spelling of a type.
public struct ModelTableBuilder<Model: PersistentModel> {
  private let originalName: String?
  private let mappedType: (any SyncMappedModel.Type)?
  private var properties: [ModelProperty] = []
  private var uniquenessConstraints: [[String]] = []
  private var indexes: [[String]] = []
  private var problems: [String] = []

  /// Starts the table of `type`.
  public init(_ type: Model.Type, originalName: String? = nil) {
    self.originalName = originalName
    mappedType = nil
  }

  /// Starts the table of a class that is marked `@Syncable`.
  public init(_ type: Model.Type, originalName: String? = nil) where Model: SyncMappedModel {
    self.originalName = originalName
    mappedType = type
  }

  /// An attribute that is stored as it is.
  public mutating func property<Value: PersistentAttribute>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Value> & Sendable, _ options: Schema.Attribute.Option...,
    originalName: String? = nil, hashModifier: String? = nil, remoteKey: String? = nil, isPrimaryKey: Bool = false,
    primaryKeyRemote: String? = nil, isExported: Bool = true
  ) {
    add(
      name, keyPath, remoteKey, isExported, originalName,
      .attribute(
        AttributeTrait(
          type: Value.storedType, options: options.attributeOptions, isPrimaryKey: isPrimaryKey,
          primaryKeyRemote: primaryKeyRemote, reader: nil, decode: nil,
          field: { ($0 as? Value)?.storedValue.field }, hasStandIn: { true }, encode: nil)))
  }

  /// An enum that is stored as its raw value.
  @_disfavoredOverload
  public mutating func property<Value: RawRepresentable & Codable & SendableMetatype>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Value> & Sendable, _ options: Schema.Attribute.Option...,
    originalName: String? = nil, hashModifier: String? = nil, remoteKey: String? = nil, isPrimaryKey: Bool = false,
    primaryKeyRemote: String? = nil, isExported: Bool = true
  ) where Value.RawValue: PersistentAttribute {
    add(
      name, keyPath, remoteKey, isExported, originalName,
      .attribute(
        AttributeTrait(
          type: Value.RawValue.storedType, options: options.attributeOptions, isPrimaryKey: isPrimaryKey,
          primaryKeyRemote: primaryKeyRemote,
          reader: AttributeReader { Value(field: $0).map { $0.rawValue.storedValue.field } },
          decode: { Value(field: $0) },
          field: { ($0 as? Value)?.rawValue.storedValue.field }, hasStandIn: { Value.standIn != nil },
          encode: nil)))
  }

  /// An optional enum that is stored as its raw value.
  @_disfavoredOverload
  public mutating func property<Value: RawRepresentable & Codable & SendableMetatype>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Value?> & Sendable,
    _ options: Schema.Attribute.Option...,
    originalName: String? = nil, hashModifier: String? = nil, remoteKey: String? = nil, isPrimaryKey: Bool = false,
    primaryKeyRemote: String? = nil, isExported: Bool = true
  ) where Value.RawValue: PersistentAttribute {
    add(
      name, keyPath, remoteKey, isExported, originalName,
      .attribute(
        AttributeTrait(
          type: Optional<Value.RawValue>.storedType, options: options.attributeOptions, isPrimaryKey: isPrimaryKey,
          primaryKeyRemote: primaryKeyRemote,
          reader: AttributeReader { $0 == .null ? $0 : Value(field: $0).map { $0.rawValue.storedValue.field } },
          decode: { Value(field: $0) as Value? as Any },
          field: { ($0 as? Value)?.rawValue.storedValue.field }, hasStandIn: { true }, encode: nil)))
  }

  /// Any other `Codable` value, stored as JSON text.
  @_disfavoredOverload
  public mutating func property<Value: Codable & SendableMetatype>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Value> & Sendable, _ options: Schema.Attribute.Option...,
    originalName: String? = nil, hashModifier: String? = nil, remoteKey: String? = nil, isPrimaryKey: Bool = false,
    primaryKeyRemote: String? = nil, isExported: Bool = true
  ) {
    let isOptional = Value.self is any AnyOptional.Type
    add(
      name, keyPath, remoteKey, isExported, originalName,
      .attribute(
        AttributeTrait(
          type: StoredType(.composite, isOptional: isOptional), options: options.attributeOptions,
          isPrimaryKey: isPrimaryKey, primaryKeyRemote: primaryKeyRemote,
          reader: CompositeCoding.reader(Value.self),
          decode: { try? CompositeCoding.decode(Value.self, from: $0) },
          field: { value in (value as? Value).flatMap { try? CompositeCoding.encode($0) } },
          hasStandIn: { StandIn.value(of: Value.self) != nil },
          encode: { value in
            guard let value = value as? Value else { return .null }
            return try CompositeCoding.encode(value)
          })))
  }

  /// An optional relationship to one object.
  public mutating func property<Related: PersistentModel>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Related?> & Sendable,
    _ options: Schema.Relationship.Option...,
    deleteRule: Schema.Relationship.DeleteRule = .nullify,
    originalName: String? = nil, inverse: (AnyKeyPath & Sendable)? = nil, hashModifier: String? = nil,
    remoteKey: String? = nil, isExported: Bool = true
  ) {
    addRelationship(
      name, keyPath, Related.self, isToMany: false, isOptional: true, deleteRule, inverse, originalName, remoteKey,
      isExported)
  }

  /// A relationship to one object that is always there.
  public mutating func property<Related: PersistentModel>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Related> & Sendable,
    _ options: Schema.Relationship.Option...,
    deleteRule: Schema.Relationship.DeleteRule = .nullify,
    originalName: String? = nil, inverse: (AnyKeyPath & Sendable)? = nil, hashModifier: String? = nil,
    remoteKey: String? = nil, isExported: Bool = true
  ) {
    addRelationship(
      name, keyPath, Related.self, isToMany: false, isOptional: false, deleteRule, inverse, originalName, remoteKey,
      isExported)
  }

  /// A relationship to many objects.
  public mutating func property<Related: PersistentModel>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, [Related]> & Sendable,
    _ options: Schema.Relationship.Option...,
    deleteRule: Schema.Relationship.DeleteRule = .nullify,
    originalName: String? = nil, inverse: (AnyKeyPath & Sendable)? = nil, hashModifier: String? = nil,
    remoteKey: String? = nil, isExported: Bool = true
  ) {
    addRelationship(
      name, keyPath, Related.self, isToMany: true, isOptional: true, deleteRule, inverse, originalName, remoteKey,
      isExported)
  }

  /// A relationship to many objects, declared optional.
  public mutating func property<Related: PersistentModel>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, [Related]?> & Sendable,
    _ options: Schema.Relationship.Option...,
    deleteRule: Schema.Relationship.DeleteRule = .nullify,
    originalName: String? = nil, inverse: (AnyKeyPath & Sendable)? = nil, hashModifier: String? = nil,
    remoteKey: String? = nil, isExported: Bool = true
  ) {
    addRelationship(
      name, keyPath, Related.self, isToMany: true, isOptional: true, deleteRule, inverse, originalName, remoteKey,
      isExported)
  }

  /// Refuses a property that is neither an attribute nor a relationship.
  @available(
    *, unavailable,
    message:
      "a stored property is an attribute (a Codable type, described by @Attribute) or a relationship (a model, an optional model or an array of models, described by @Relationship); mark anything else @Transient"
  )
  public mutating func property<Value>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Value> & Sendable, _ options: Schema.Attribute.Option...,
    originalName: String? = nil, hashModifier: String? = nil, remoteKey: String? = nil, isPrimaryKey: Bool = false,
    primaryKeyRemote: String? = nil, isExported: Bool = true
  ) {}

  /// Refuses a relationship that is none.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "@Relationship describes a model, an optional model or an array of models; use @Attribute for attributes"
  )
  public mutating func property<Value>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Value> & Sendable,
    _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
    originalName: String? = nil,
    inverse: (AnyKeyPath & Sendable)? = nil, hashModifier: String? = nil, remoteKey: String? = nil,
    isExported: Bool = true
  ) {}

  /// The value with which a property's declaration begins.
  public mutating func initialValue<Value>(
    _ keyPath: ReferenceWritableKeyPath<Model, Value> & Sendable,
    _ value: @autoclosure @escaping @Sendable () -> Value
  ) {
    guard let slot = properties.firstIndex(where: { $0.keyPath == keyPath }) else { return }
    properties[slot].initialValue = value
  }

  /// Sets of properties whose values, taken together, occur at most once (`#Unique`).
  public mutating func unique(_ sets: [PartialKeyPath<Model> & Sendable]...) {
    uniquenessConstraints += sets.compactMap { names(of: $0, in: "#Unique") }
  }

  /// Sets of properties that are indexed (`#Index`).
  public mutating func index(_ sets: [PartialKeyPath<Model> & Sendable]...) {
    indexes += sets.compactMap { names(of: $0, in: "#Index") }
  }

  /// The finished table.
  public func build() -> ModelTable {
    let unique = properties.filter { $0.attribute?.options.contains(.unique) == true }.map { [$0.name] }
    return ModelTable(
      // What `String(describing:)` says, which first looks whether the type has a description of its own.
      name: _typeName(Model.self, qualified: false), originalName: originalName, type: Model.self,
      mappedType: mappedType, properties: properties,
      uniquenessConstraints: unique + uniquenessConstraints.filter { !unique.contains($0) }, indexes: indexes,
      problems: problems)
  }

  private mutating func names(of keyPaths: [PartialKeyPath<Model> & Sendable], in macro: String) -> [String]? {
    var names: [String] = []
    for keyPath in keyPaths {
      guard let property = properties.first(where: { $0.keyPath == keyPath }) else {
        problems.append("\(macro) names a key path that does not lead to a stored property")
        return nil
      }
      guard property.attribute != nil else {
        problems.append("\(macro) names \(property.name), which is a relationship; only attributes can be named there")
        return nil
      }
      names.append(property.name)
    }
    return names
  }

  private mutating func addRelationship<Value>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Value> & Sendable,
    _ destination: any PersistentModel.Type,
    isToMany: Bool, isOptional: Bool, _ deleteRule: Schema.Relationship.DeleteRule,
    _ inverse: (AnyKeyPath & Sendable)?, _ originalName: String?, _ remoteKey: String?, _ isExported: Bool
  ) {
    add(
      name, keyPath, remoteKey, isExported, originalName,
      .relationship(
        RelationshipTrait(
          destination: { destination }, isToMany: isToMany, isOptional: isOptional, deleteRule: deleteRule.rule,
          inverse: inverse)))
  }

  private mutating func add<Value>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Value> & Sendable, _ remoteKey: String?,
    _ isExported: Bool,
    _ originalName: String?, _ kind: ModelProperty.Kind
  ) {
    properties.append(
      ModelProperty(
        name: name, slot: properties.count, keyPath: keyPath, remoteKey: remoteKey, isExported: isExported,
        originalName: originalName, kind: kind,
        notify: { model in
          guard let model = model as? Model else { return }
          model._$backing.announceMutation(of: model, keyPath)
        }))
  }
}

extension RawRepresentable where RawValue: PersistentAttribute {
  /// The case whose raw value a record holds, or nil for a value that is no case.
  init?(field: FieldValue) {
    guard let raw = RawValue(StoredValue(field)) else { return nil }
    self.init(rawValue: raw)
  }
}
