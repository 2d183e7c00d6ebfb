import Testing

@testable import SyncEngine

@Suite("3.6: The keys that relationships are looked for under")
struct RelationshipKeyTests {
  @Test(arguments: [
    ("watchers", ["watcher_ids", "watchers_ids"]), ("categories", ["categories_ids", "category_ids"]),
    ("notes", ["note_ids", "notes_ids"]), ("statuses", ["status_ids", "statuses_ids"]),
    ("addresses", ["address_ids", "addresses_ids"]), ("boxes", ["box_ids", "boxes_ids"]),
    ("branches", ["branch_ids", "branches_ids"]), ("quizzes", ["quizz_ids", "quizzes_ids"]),
    ("houses", ["hous_ids", "houses_ids"]), ("cases", ["cas_ids", "cases_ids"]),
    ("movies", ["movies_ids", "movy_ids"]), ("series", ["series_ids", "sery_ids"]), ("children", ["children_ids"]),
    ("staff", ["staff_ids"]), ("news", ["new_ids", "news_ids"]),
    ("assignedTickets", ["assignedTicket_ids", "assignedTickets_ids"]), ("s", ["s_ids"]),
  ])
  func toManyByConvention(_ name: String, _ identityKeys: [String]) {
    let keys = RelationshipKeys(name: name, isToMany: true, remoteKey: nil).keys
    #expect(keys.dropLast().map(\.name) == identityKeys)
    #expect(keys.dropLast().allSatisfy { $0.shape == .identities })
    #expect(keys.last == RelationshipKeys.Key(name: name, shape: .objects))
  }

  @Test(
    arguments: [
      (false, nil, ["owner_id identities", "owner objects"]),
      (false, "", ["owner_id identities", "owner objects"]),
      (false, "lead", ["lead any", "owner objects"]),
      (false, "owner", ["owner any"]),
      (false, "relationships.owner", ["relationships.owner any", "owner objects"]),
      (true, "lead", ["lead any", "owner objects"]),
      (true, "a.b", ["a.b any", "owner objects"]),
    ] as [(Bool, String?, [String])])
  func remoteKeys(_ isToMany: Bool, _ remoteKey: String?, _ expected: [String]) {
    let keys = RelationshipKeys(name: "owner", isToMany: isToMany, remoteKey: remoteKey).keys
    #expect(keys.map { "\($0.name) \($0.shape)" } == expected)
  }
}
