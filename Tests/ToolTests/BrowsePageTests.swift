import Foundation
import HTTPServing
import Records
import TestSupport
import Testing

@testable import StoreTool

/// The page of a store in a real browser.
///
/// With `SWIFTSYNC_PICTURES` naming a folder, pictures of the page are left there for people to look at.
@Suite(
  .serialized,
  .enabled(
    if: Chromium.path != nil, "There is no Chromium to look at the page with; Tools/setup --browser installs it."))
struct BrowsePageTests {
  private let browsed: BrowsedStore
  private let server: HTTPServer
  private let page: Chromium

  init() throws {
    let browsed = try BrowsedStore(isWriting: true, fill: LargeStore.make)
    let server = try HTTPServer(
      threads: .eachConnection, connectionsMax: Browsing.connectionsMax, bodyBytesMax: Browsing.bodyBytesMax
    ) { [browsing = browsed.browsing] in browsing.response(to: $0) }
    browsed.browsing.serve(at: server.port)
    self.browsed = browsed
    self.server = server
    page = try Chromium(browsed.browsing.address)
    try page.wait(until: "document.querySelector('#live.on') && document.querySelector('#main table')")
  }

  private func go(_ fragment: String, until condition: String) throws {
    try page.evaluate("location.hash = '\(fragment)'")
    try page.wait(until: condition)
  }

  private func text(_ selector: String) throws -> [String] {
    let texts = try page.evaluate("[...document.querySelectorAll('\(selector)')].map((one) => one.textContent)")
    return texts as? [String] ?? []
  }

  private func picture(_ name: String) throws {
    let data = try page.picture()
    #expect(data.count > 1000)
    guard let folder = ProcessInfo.processInfo.environment["SWIFTSYNC_PICTURES"] else { return }
    try data.write(to: URL(filePath: folder).appending(path: "\(name).png"))
  }

  private func end() throws {
    browsed.changes.end()
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }

  @Test func tablesAreSearchedSortedAndPaged() throws {
    try go("#/table/Task", until: "document.querySelectorAll('tbody tr').length === 50")
    #expect(try text(".pager span") == ["1 to 50 of 400"])
    try picture("table")
    try page.press("n")
    try page.wait(until: "document.querySelector('.pager span').textContent === '51 to 100 of 400'")
    try page.press("/")
    try page.wait(until: "document.activeElement.id === 'search'")
    try page.type("priority > 1 AND title CONTAINS[c] '7'")
    try page.press("Enter", text: "\r", code: 13)
    try page.wait(until: "location.hash.includes('where=') && document.querySelector('#note').textContent.length > 0")
    try picture("search")
    try page.evaluate("document.activeElement.blur()")
    try page.evaluate(
      "[...document.querySelectorAll('thead button')].find((one) => one.textContent === 'title').click()")
    try page.wait(until: "document.querySelector('th[aria-sort=ascending]')")
    try go("#/table/Task?where=title+%3D", until: "document.querySelector('.note.bad')")
    #expect(try text(".note.bad").first?.hasPrefix("At character 7") == true)
    try end(allowing: 400)
  }

  /// The browser itself notes each refusal.
  private func end(allowing status: Int) throws {
    browsed.changes.end()
    #expect(page.complaints.allSatisfy { $0.contains("\(status)") }, "\(page.complaints)")
  }

  @Test func rowsAreWalkedWithKeysAndLinks() throws {
    try go("#/table/User", until: "document.querySelectorAll('tbody tr').length === 40")
    try page.press("j")
    try page.press("j")
    #expect(try text("tr[aria-selected=true] th") == ["2"])
    try page.press("Enter", text: "\r", code: 13)
    try page.wait(until: "location.hash === '#/row/User/2' && document.querySelector('.bytes')")
    try picture("row")
    try page.evaluate("document.querySelector('.links a').click()")
    try page.wait(
      until: "location.hash.startsWith('#/row/Task/') && document.querySelector('h2').textContent.includes('Task')")
    try page.evaluate("document.querySelector('.links ~ *, td a').click()")
    try page.wait(until: "location.hash.startsWith('#/row/Project/')")
    try page.evaluate("history.go(-3)")
    try page.wait(until: "location.hash === '#/table/User' && document.querySelectorAll('tbody tr').length === 40")
    try page.press("?")
    try page.wait(until: "document.getElementById('help').open")
    try picture("help")
    try end()
  }

  @Test func everyViewIsThereInLightAndDark() throws {
    for (view, condition) in [
      ("schema", "main svg rect.box"), ("history", "main svg rect.column"), ("statistics", "main .bars"),
    ] {
      try go("#/\(view)", until: "document.querySelector('\(condition)')")
      for isDark in [false, true] {
        try page.show(dark: isDark)
        try picture("\(view)\(isDark ? "-dark" : "")")
      }
    }
    try go("#/table/Task", until: "document.querySelectorAll('.rows tbody tr').length === 50")
    try picture("table-dark")
    try page.show(dark: false, width: 480)
    try picture("table-narrow")
    #expect(try page.evaluate("document.documentElement.scrollWidth <= 480") as? Bool == true)
    try end()
  }

  /// What another thread commits is shown without a reload, and nothing that stays moves.
  @Test func commitsAreShownAsTheyCome() throws {
    try go("#/table/User", until: "document.querySelectorAll('tbody tr').length === 40")
    let top = "document.querySelector('tbody tr').getBoundingClientRect().top"
    let before = try page.evaluate(top) as? Double
    _ = try browsed.store.write { try $0.insert("User", ["id": .int(4000), "name": .string("Late")]) }
    try page.wait(until: "document.querySelectorAll('tbody tr').length === 41")
    #expect(try text("tr.fresh td").contains("Late"))
    #expect(try text("#entities a[aria-current] span:last-child") == ["41"])
    #expect(try page.evaluate(top) as? Double == before)
    try picture("live")
    browsed.changes.add(.unknown(stateNumber: nil))
    try page.wait(until: "document.querySelector('#live.gone')")
    try end()
  }

  @Test func hostileRowsAreText() throws {
    let hostile = "<img src=x onerror=window.hit=1><script>window.hit=1</script>'\"&{{1}}\u{202E}"
    _ = try browsed.store.write { transaction in
      let row = try transaction.insert("User", ["id": .int(-1), "name": .string(hostile)])
      try transaction.insert("Project", ["id": .string(hostile), "title": .string("javascript:window.hit=1")])
      try transaction.insert(
        "Task",
        [
          "id": .uuid(UUID()), "title": .string(hostile), "isDone": .bool(true),
          "link": .url("javascript:window.hit=1"),
        ])
      #expect(row.rawValue == 41)
    }
    try go("#/row/User/41", until: "document.querySelector('[data-name=name]')")
    #expect(try page.evaluate("document.querySelector('[data-name=name]').value") as? String == hostile)
    try go("#/table/Project?sort=-title", until: "document.querySelector('tbody td')?.textContent.startsWith('<img')")
    try go("#/row/Project/21", until: "document.querySelector('h2')?.textContent.startsWith('<img')")
    try go(
      "#/table/%3Cimg src=x onerror=window.hit=1%3E",
      until: "document.querySelector('h2')?.textContent.includes('<img')")
    #expect(
      try page.evaluate("window.hit === undefined && !document.querySelector('main img, main script')") as? Bool == true
    )
    try end()
  }

  @Test func rowsAreEditedAndDeleted() throws {
    try go("#/row/User/3", until: "document.querySelector('[data-name=name]')")
    try page.evaluate("document.querySelector('[data-name=name]').focus()")
    try page.evaluate("document.querySelector('[data-name=name]').select()")
    try page.type("Edited")
    try picture("edit")
    try page.evaluate("document.getElementById('save').click()")
    try page.wait(until: "document.querySelector('.note').textContent === 'Saved.'")
    let values = try browsed.store.read { snapshot in
      let users = try #require(snapshot.catalog.entity(named: "User"))
      return try snapshot.record(RowNumber(rawValue: 3), of: users).map { record in
        users.attribute(named: "name").map { record.value($0.field) }
      }
    }
    #expect(values == .string("Edited"))
    try page.evaluate("document.getElementById('delete').click()")
    #expect(try text("#delete") == ["Delete for good?"])
    try page.evaluate("document.getElementById('delete').click()")
    try page.wait(until: "location.hash === '#/table/User' && document.querySelectorAll('tbody tr').length === 39")
    try end()
  }

  /// What assistive programs need to make sense of a table.
  @Test func tablesHaveNamesAndHeadings() throws {
    for view in ["#/table/Task", "#/row/Task/1", "#/history", "#/statistics", "#/schema"] {
      try page.evaluate("document.querySelector('h2').textContent = 'before'; location.hash = '\(view)'")
      try page.wait(until: "document.querySelector('h2').textContent !== 'before' && document.querySelector('main th')")
      let bad =
        try page.evaluate(
          "[...document.querySelectorAll('main th:not([scope]), main svg:not([aria-label]), main input:not([aria-label]), "
            + "main button:empty')].length") as? Int
      #expect(bad == 0, "\(view)")
      let heads = try page.evaluate("document.querySelectorAll('h1').length + document.querySelectorAll('h2').length")
      #expect(heads as? Int == 3, "\(view)")
    }
    try end()
  }
}
