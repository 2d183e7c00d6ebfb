import Testing

@testable import SyncEngine

@Suite("3.1 to 3.3: How names are written in the styles of payload keys")
struct KeyStyleTests {
  @Test(
    "3.1: snake case",
    arguments: [
      ("projectID", "project_id"), ("remoteURL", "remote_url"), ("URLString", "url_string"), ("URL", "url"),
      ("XMLHTTPRequest", "xmlhttp_request"), ("HTML5Parser", "html5_parser"), ("html5Parser", "html5_parser"),
      ("address2Line", "address2_line"), ("line1Text", "line1_text"), ("userID2", "user_id2"), ("user2ID", "user2_id"),
      ("iOSVersion", "i_os_version"), ("isOnIOS", "is_on_ios"), ("ABc", "a_bc"), ("AB", "ab"), ("2FA", "2_fa"),
      ("my2FAToken", "my2_fa_token"), ("a1B2", "a1_b2"), ("mixed_CaseKey", "mixed_case_key"),
      ("Already_Snake", "already_snake"), ("kebab-caseKey", "kebab-case_key"), ("_private", "_private"),
      ("ÉCole", "é_cole"), ("assignedTickets_ids", "assigned_tickets_ids"), ("task.ownerID", "task.owner_id"),
      ("", ""), ("fullName", "full_name"), ("project_id", "project_id"),
      // Plurals of acronyms are one word.
      ("userIDs", "user_ids"), ("URLsByID", "urls_by_id"), ("tagIDs_ids", "tag_ids_ids"), ("IDs", "ids"),
      ("pdfURLs2", "pdf_urls2"), ("IDsheet", "i_dsheet"),
    ])
  func snakeCase(_ name: String, _ key: String) {
    #expect(KeyStyle.snakeCase.transform(name) == key)
    #expect(KeyStyle.snakeCase.exportKey(for: name) == key)
  }

  @Test(
    "3.2: camel case",
    arguments: [
      ("projectID", "projectId"), ("project_id", "projectId"), ("html_url", "htmlUrl"), ("_private", "private"),
      ("a__b", "aB"), ("URL", "url"), ("userIDs", "userIds"), ("fullName", "fullName"),
      ("profile.contact_email", "profile.contactEmail"), ("projectOwner_id", "projectOwnerId"),
    ])
  func camelCase(_ name: String, _ key: String) {
    #expect(KeyStyle.camelCase.exportKey(for: name) == key)
    #expect(KeyStyle.camelCase.transform(name) == name, "transform leaves a name as it is written")
  }

  @Test(
    "3.3, B-3: the forms of a key, in the order in which they are tried",
    arguments: [
      ("id", ["id", "remote_id", "remoteID", "remoteId"], ["id", "remoteID", "remoteId", "remote_id"]),
      ("remoteID", ["remote_id", "remoteID", "remoteId", "id"], ["remoteId", "remoteID", "id", "remote_id"]),
      ("remote_id", ["remote_id"], ["remoteId", "remote_id"]),
      ("projectID", ["project_id", "projectID"], ["projectId", "projectID"]),
      ("project_id", ["project_id"], ["projectId", "project_id"]),
      ("fullName", ["full_name", "fullName"], ["fullName"]),
      ("externalID", ["external_id", "externalID"], ["externalId", "externalID"]),
      ("userIDs", ["user_ids", "user_i_ds", "userIDs"], ["userIds", "userIDs"]),
      ("projectOwner_id", ["project_owner_id", "projectOwner_id"], ["projectOwnerId", "projectOwner_id"]),
      ("profile.contact_email", ["profile.contact_email"], ["profile.contactEmail", "profile.contact_email"]),
      (
        "profile.contactEmail", ["profile.contact_email", "profile.contactEmail"], ["profile.contactEmail"]
      ),
    ])
  func candidates(_ name: String, _ snake: [String], _ camel: [String]) {
    #expect(KeyCandidates.candidates(for: name, in: .snakeCase) == snake)
    #expect(KeyCandidates.candidates(for: name, in: .camelCase) == camel)
  }
}
