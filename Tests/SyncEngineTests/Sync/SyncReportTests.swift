import Records
import Testing

@testable import SyncEngine

@Suite("4, B-4: What a sync says about values that it could not store as they are")
struct SyncReportTests {
  @Test func replacedValuesAreListed() throws {
    let store = try TestStore(
      .entity(
        "Model",
        [.required("when", .date), .optional("n", .int64), .required("name", .string), .optional("price", .decimal)]))
    let report = try store.sync(
      #"[{"id":1,"when":"x","n":"y","name":null,"price":"1,5"},{"id":2,"when":null,"n":null,"name":"","price":null}]"#,
      as: "Model")
    #expect(
      report.replacedValues.map { "\($0.row) \($0.identity) \($0.key) \($0.value) \($0.cause) \($0.outcome)" } == [
        "0 1 when x unreadable setToDefault", "0 1 n y unreadable cleared",
        "0 1 name null nullForRequired setToDefault",
        "0 1 price 1,5 partlyReadable storedInPart", "1 2 when null nullForRequired setToDefault",
      ])
    let kept = try store.sync(
      #"{"id":1,"n":[]}"#, as: "Model", convention: MappingConvention(unreadableValues: .keep))
    #expect(kept.replacedValues.map(\.outcome) == [.kept])
    #expect(kept.changedNothing)
  }

  @Test func nestedRowsAreNamedByTheirOwnIdentity() throws {
    let store = try TestStore(
      .entity("Tag", [.optional("n", .int64)]), .entity("Item", [], [.toOne("tag", "Tag")]))
    let report = try store.sync(
      #"[{"id":1},{"id":2,"tag":{"id":5,"n":"a long text that goes on and on, longer than anybody wants to read in a report of a sync"}}]"#,
      as: "Item")
    let note = try #require(report.replacedValues.first)
    #expect(note.row == 1 && note.entity == "Tag" && note.identity == "5")
    #expect(note.value.hasSuffix("…") && note.value.utf8.count < 90)
    let current = try store.sync(#"{"id":2,"tag":{"n":{}}}"#, as: "Item")
    #expect(current.replacedValues.map(\.identity) == ["5"])
  }

  @Test func theListsAreBounded() throws {
    let store = try TestStore(.entity("Model", [.optional("n", .int64)]))
    let count = SyncReport.detailsMax + 5
    let rows = (1...count).map { "{\"id\":\($0),\"n\":\"x\"}" } + Array(repeating: "{}", count: count)
    let report = try store.sync("[" + rows.joined(separator: ",") + "]", as: "Model")
    #expect(report.replacedValues.count == SyncReport.detailsMax)
    #expect(report.skippedRows.count == SyncReport.detailsMax)
    #expect(report.omittedDetails == 10)
  }
}
