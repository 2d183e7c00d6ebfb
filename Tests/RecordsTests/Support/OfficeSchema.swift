@testable import Records

extension StoreSchema {
  /// A schema with every kind of relationship, delete rule and constraint that there is, for the tests.
  ///
  /// - one-to-many: team and projects, project and tasks, a person and their reports
  /// - many-to-many: people and teams, a person's friends, what tasks block each other
  /// - one-to-one: a person and a badge, spouses
  /// - without an inverse: a person's mentor, a person's favourite teams
  /// - required: a badge's holder (one-to-one), a comment's task (one-to-many) and author (without an inverse)
  static let office = StoreSchema(entities: [person, badge, team, project, task, lock, comment])

  private static let person = EntityDescription(
    name: "Person",
    attributes: [
      AttributeDescription(name: "id", type: .string, options: .unique),
      AttributeDescription(name: "nick", type: .string, isOptional: true, options: .unique),
      AttributeDescription(name: "age", type: .int16, isOptional: true),
      AttributeDescription(name: "joined", type: .date, isOptional: true),
    ],
    relationships: [
      RelationshipDescription(name: "teams", destination: "Team", isToMany: true, inverse: "members"),
      RelationshipDescription(name: "favourites", destination: "Team", isToMany: true),
      RelationshipDescription(name: "manager", destination: "Person", isToMany: false, inverse: "reports"),
      RelationshipDescription(name: "reports", destination: "Person", isToMany: true, inverse: "manager"),
      RelationshipDescription(name: "friends", destination: "Person", isToMany: true, inverse: "friendOf"),
      RelationshipDescription(name: "friendOf", destination: "Person", isToMany: true),
      RelationshipDescription(name: "spouse", destination: "Person", isToMany: false, inverse: "spouseOf"),
      RelationshipDescription(name: "spouseOf", destination: "Person", isToMany: false, inverse: "spouse"),
      RelationshipDescription(
        name: "badge", destination: "Badge", isToMany: false, inverse: "holder", deleteRule: .cascade),
      RelationshipDescription(name: "mentor", destination: "Person", isToMany: false),
      RelationshipDescription(name: "tasks", destination: "Task", isToMany: true, inverse: "assignee"),
    ],
    identity: "id",
    indexes: [["age"], ["age", "nick"]])

  private static let badge = EntityDescription(
    name: "Badge",
    attributes: [AttributeDescription(name: "code", type: .uint32)],
    relationships: [
      RelationshipDescription(
        name: "holder", destination: "Person", isToMany: false, isOptional: false, inverse: "badge")
    ],
    uniquenessConstraints: [["code"]])

  private static let team = EntityDescription(
    name: "Team",
    attributes: [
      AttributeDescription(name: "key", type: .uuid, isOptional: true),
      AttributeDescription(name: "name", type: .string),
      AttributeDescription(name: "year", type: .int64, isOptional: true),
    ],
    relationships: [
      RelationshipDescription(name: "members", destination: "Person", isToMany: true, inverse: "teams"),
      RelationshipDescription(
        name: "projects", destination: "Project", isToMany: true, inverse: "team", deleteRule: .cascade),
    ],
    identity: "key",
    uniquenessConstraints: [["year", "name"]])

  private static let project = EntityDescription(
    name: "Project",
    attributes: [
      AttributeDescription(name: "title", type: .string),
      AttributeDescription(name: "budget", type: .decimal, isOptional: true),
    ],
    relationships: [
      RelationshipDescription(name: "team", destination: "Team", isToMany: false, inverse: "projects"),
      RelationshipDescription(
        name: "tasks", destination: "Task", isToMany: true, inverse: "project", deleteRule: .cascade),
      RelationshipDescription(
        name: "locks", destination: "Lock", isToMany: true, inverse: "project", deleteRule: .deny),
    ],
    indexes: [["budget"]])

  private static let task = EntityDescription(
    name: "Task",
    attributes: [
      AttributeDescription(name: "id", type: .int64),
      AttributeDescription(name: "done", type: .bool),
      AttributeDescription(name: "weight", type: .double, isOptional: true),
      AttributeDescription(name: "note", type: .string, isOptional: true),
    ],
    relationships: [
      RelationshipDescription(name: "project", destination: "Project", isToMany: false, inverse: "tasks"),
      RelationshipDescription(
        name: "assignee", destination: "Person", isToMany: false, inverse: "tasks", deleteRule: .noAction),
      RelationshipDescription(
        name: "blocks", destination: "Task", isToMany: true, inverse: "blockedBy", deleteRule: .cascade),
      RelationshipDescription(name: "blockedBy", destination: "Task", isToMany: true, inverse: "blocks"),
      RelationshipDescription(name: "comments", destination: "Comment", isToMany: true, inverse: "task"),
    ],
    identity: "id",
    indexes: [["weight"], ["note"]])

  private static let lock = EntityDescription(
    name: "Lock",
    attributes: [AttributeDescription(name: "reason", type: .string)],
    relationships: [
      RelationshipDescription(name: "project", destination: "Project", isToMany: false, inverse: "locks")
    ])

  private static let comment = EntityDescription(
    name: "Comment",
    attributes: [AttributeDescription(name: "text", type: .string)],
    relationships: [
      RelationshipDescription(
        name: "task", destination: "Task", isToMany: false, isOptional: false, inverse: "comments"),
      RelationshipDescription(name: "author", destination: "Person", isToMany: false, isOptional: false),
    ])
}
