import SwiftSync

// The compiler has to find each mistake below. A comment behind a line holds a part of the message that belongs there,
// and no line without such a comment may have an error: one mistake must not lead to others.

struct NotCodable {}

let constantKey = "key"

@Model struct Value {}  // error: @Model can only be applied to a class

@MainActor @Model final class OnMainActor {  // error: a model class cannot belong to the main actor
  var name: String
  init(name: String) { self.name = name }
}

@Syncable @Model final class Generic<Element> {  // error: a model class cannot be generic
  var id: Int
  init(id: Int) { self.id = id }
}

@Model final class Properties {
  let constant: Int  // error: 'let constant' cannot be restored from the store
  @Transient var cache: Int  // error: @Transient property 'cache' needs a default value
  lazy var computedOnce = 1  // error: persisted property 'computedOnce' cannot be lazy
  weak var parent: Properties?  // error: persisted property 'parent' cannot be weak
  var observed = 1 { didSet {} }  // error: persisted property 'observed' cannot have a 'didSet' observer
  var first = 1, second = 2  // error: declare each persisted property on its own
  init() {}
}

@Model final class NeitherAttributeNorRelationship {
  var plain: NotCodable  // error: mark anything else @Transient
  init(plain: NotCodable) { self.plain = plain }
}  // error: mark anything else @Transient

@Model final class RelationshipToANumber {
  @Relationship(deleteRule: .cascade) var number: Int
  init(number: Int) { self.number = number }
}  // error: @Relationship describes a model

@Model final class OptionForTheWrongKind {
  @Attribute(.externalStorage) var other: OptionForTheWrongKind?
  init() {}
}  // error: described by @Attribute

@Model final class OptionsOfOtherPlatforms {
  @Attribute(.spotlight) var text: String?  // error: no search index
  @Attribute(.ephemeral) var draft: String?  // error: @Transient
  @Attribute(.allowsCloudEncryption) var secret: String?  // error: no CloudKit
  @Attribute(.transformable(by: "Codec")) var colour: String?  // error: be Codable
  init() {}
}  // error: is unavailable

@Syncable final class NoModel {  // error: @Syncable can only be applied to a class that is also marked @Model
  var id = 1
}

@Syncable @Model class NotFinal {  // error: 'NotFinal' has to be final
  var id: Int
  init(id: Int) { self.id = id }
}

@Syncable @Model final class WithoutIdentity {  // error: 'WithoutIdentity' has no sync identity
  var name: String
  init(name: String) { self.name = name }
}

@Syncable @Model final class BlockedNames {
  var id: Int
  var description: String  // error: a synced model cannot have a property named 'description'
  init(id: Int, description: String) {
    self.id = id
    self.description = description
  }
}

@Syncable @Model final class Keys {
  @PrimaryKey var id: Int
  @PrimaryKey var other: Int  // error: a model has one sync identity
  @RemoteKey(constantKey) var name: String  // error: a payload key has to be a string literal
  init(id: Int, other: Int, name: String) {
    self.id = id
    self.other = other
    self.name = name
  }
}

@Syncable @Model final class WithMembersOfASync {
  var id: Int
  init(id: Int) { self.id = id }
  func apply(_ payload: SyncPayload) throws -> Bool { true }  // error: a sync would not call another one
}

@Syncable @Model final class Extended {
  var id: Int
  init(id: Int) { self.id = id }
}

extension Extended {
  static func make(from payload: SyncPayload) -> Extended {  // error: invalid redeclaration
    Extended(id: 1)
  }
  func apply(_ payload: SyncPayload) throws -> Bool { true }  // error: invalid redeclaration
  func export(keyStyle: KeyStyle, dateFormatter: DateFormatter) -> [String: Any] {  // error: invalid redeclaration
    [:]
  }
}
