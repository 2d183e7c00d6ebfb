import Records

extension StoreSchema {
  /// The schema of an issue tracker, with an attribute of every type and every kind of relationship:
  ///
  /// - one-to-many with an inverse: project and tasks; without: a note's task
  /// - many-to-many with an inverse: reviewers; without: watchers
  /// - to itself: a task's parent
  /// - identities of three kinds (text, number, UUID), one that is not unique (label), and none (note)
  static let tracker = StoreSchema(entities: [project, user, task, note, label])

  private static let project = EntityDescription(
    name: "Project",
    attributes: [
      AttributeDescription(name: "id", type: .string, options: .unique),
      AttributeDescription(name: "title", type: .string, isOptional: true),
    ],
    relationships: [
      RelationshipDescription(
        name: "tasks", destination: "Task", isToMany: true, inverse: "project", deleteRule: .cascade)
    ],
    identity: "id")

  private static let user = EntityDescription(
    name: "User",
    attributes: [
      AttributeDescription(name: "id", type: .int64, options: .unique),
      AttributeDescription(name: "name", type: .string),
    ],
    relationships: [
      RelationshipDescription(name: "reviews", destination: "Task", isToMany: true, inverse: "reviewers")
    ],
    identity: "id")

  private static let task = EntityDescription(
    name: "Task",
    attributes: [
      AttributeDescription(name: "id", type: .uuid, options: .unique),
      AttributeDescription(name: "title", type: .string, remoteKey: "attributes.title"),
      AttributeDescription(name: "isDone", type: .bool),
      AttributeDescription(name: "priority", type: .int8, isOptional: true),
      AttributeDescription(name: "views", type: .uint64, isOptional: true),
      AttributeDescription(name: "ratio", type: .float, isOptional: true),
      AttributeDescription(name: "estimate", type: .double, isOptional: true),
      AttributeDescription(name: "cost", type: .decimal, isOptional: true),
      AttributeDescription(name: "due", type: .date, isOptional: true),
      AttributeDescription(name: "link", type: .url, isOptional: true),
      AttributeDescription(
        name: "thumbnail", type: .data, isOptional: true, options: .externalStorage, isExported: false),
      AttributeDescription(name: "settings", type: .composite, isOptional: true),
    ],
    relationships: [
      RelationshipDescription(name: "project", destination: "Project", isToMany: false),
      RelationshipDescription(name: "reviewers", destination: "User", isToMany: true, remoteKey: "reviewer_ids"),
      RelationshipDescription(name: "watchers", destination: "User", isToMany: true),
      RelationshipDescription(name: "parent", destination: "Task", isToMany: false),
      RelationshipDescription(name: "labels", destination: "Label", isToMany: true),
    ],
    identity: "id",
    uniquenessConstraints: [["title", "due"]],
    indexes: [["priority"]])

  private static let note = EntityDescription(
    name: "Note",
    attributes: [AttributeDescription(name: "text", type: .string)],
    relationships: [
      RelationshipDescription(name: "task", destination: "Task", isToMany: false),
      RelationshipDescription(name: "replyTo", destination: "Note", isToMany: false),
    ])

  private static let label = EntityDescription(
    name: "Label",
    attributes: [AttributeDescription(name: "id", type: .string, isOptional: true)],
    identity: "id")
}
