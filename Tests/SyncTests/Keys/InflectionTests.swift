import Testing

@testable import Sync

@Suite("CD-2.5 Names and keys in the styles of each other")
struct InflectionTests {
  @Test(
    "CD-2.5 A key as a name",
    arguments: [
      ("created_at", "createdAt"), ("user_id", "userID"), ("updated_uuid", "updatedUUID"),
      ("updated_uri", "updatedURI"),
      ("updated_url", "updatedURL"), ("id", "id"), ("pdf", "pdf"), ("uuid", "uuid"), ("age", "age"),
      ("integer16", "integer16"), ("GreenWallet", "greenWallet"), ("driver_identifier", "driverIdentifier"),
      ("list_image_url", "listImageURL"), ("_id", "id"), ("_uuid", "uuid"), ("_private", "private"), ("name_", "name"),
      ("mp3_file", "mp3File"), ("first-name", "first-name"),
    ])
  func camelCase(key: String, name: String) {
    #expect(Inflection.camelCase(key) == name)
  }

  @Test(
    "CD-12.3 Keys that the reference turns into names that nobody would give",
    arguments: [
      ("user_ids", "userIDs"), ("image_urls", "imageURLs"), ("pdf_url", "pdfURL"), ("id_card", "idCard"),
      ("f2f_url", "f2fURL"), ("fooBar_baz", "fooBarBaz"), ("user_ID", "userID"), ("ID", "id"), ("URL", "url"),
      ("test_!_key", nil), ("", nil), ("_", nil),
    ] as [(String, String?)])
  func betterCamelCase(key: String, name: String?) {
    #expect(Inflection.camelCase(key) == name)
  }

  @Test(
    "CD-2.5 A name as a key",
    arguments: [
      ("createdAt", "created_at"), ("userID", "user_id"), ("iUUID", "i_uuid"), ("iURI", "i_uri"), ("iURL", "i_url"),
      ("id", "id"), ("pdf", "pdf"), ("age", "age"), ("integer16", "integer16"), ("GreenWallet", "green_wallet"),
      ("OrderedUser", "ordered_user"), ("userIDFirst", "user_id_first"), ("listImageUrl", "list_image_url"),
      ("plannedToIDs", "planned_to_ids"), ("imageURLs", "image_urls"), ("address2Line", "address2_line"), ("aB", "a_b"),
      ("userId", "user_id"),
    ])
  func snakeCase(name: String, key: String) {
    #expect(Inflection.snakeCase(name) == key)
  }

  @Test(
    "CD-12.3 Names that the reference turns into keys that nobody would send",
    arguments: [
      ("first_name", "first_name"), ("HTMLString", "html_string"), ("MSStaff", "ms_staff"), ("UUID", "uuid"),
      ("ID", "id"), ("URLItem", "url_item"), ("名前", "名前"), ("a.b$c", "a.b$c"), ("", ""),
    ])
  func betterSnakeCase(name: String, key: String) {
    #expect(Inflection.snakeCase(name) == key)
  }

  @Test(
    "CD-12.3 Every style of a name has one canonical form",
    arguments: [
      ["userIDs", "user_ids", "userIds", "user-ids", "User IDs", "USER_IDS"], ["pdfURL", "pdf_url", "pdfUrl"],
      ["first_name", "firstName", "FirstName"], ["", "_", "- "],
    ])
  func canonicalForms(styles: [String]) {
    #expect(Set(styles.map(Inflection.canonical)).count == 1)
  }
}
