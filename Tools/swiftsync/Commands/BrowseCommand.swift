import HTTPServing
import Records

/// `swiftsync browse`: a page about a store for the browser of this machine.
struct BrowseCommand: Command {
  static let port = Option<PortNumber>(
    name: "--port", placeholder: "N", help: "The port to listen on. Any free one if it is not given.")
  static let write = Flag(name: "--write", help: "Let the page edit and delete rows. No application may have it open.")

  static let syntax = CommandSyntax(
    name: "browse",
    summary: "Look at a store in the browser.",
    discussion: """
      Serve a page that shows the rows of a store, searched and sorted, with their relationships, the schema, the history
      and statistics, and that follows what an application commits. It goes on until it is interrupted.

      Only this machine is served, and only who knows the address that is printed: it has a secret in it, which is another
      one each time.
      """,
    operands: [.store],
    options: [port, write],
    examples: [
      Example(line: "swiftsync browse app.store", purpose: "print an address for the browser"),
      Example(line: "swiftsync browse app.store --port 8000 --write", purpose: "edit rows, at a port of your choice"),
    ])

  let store: String
  let port: UInt16
  let isWriting: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    port = try arguments.value(of: Self.port)?.value ?? 0
    isWriting = arguments.contains(Self.write)
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    var opened = try RecordStore(readingAt: store)
    if isWriting {
      // It is opened with what it says of itself, so nothing of it changes by that.
      let schema = opened.catalog.schema
      opened.close()
      opened = try RecordStore(at: store, schema: schema)
    }
    let store = opened
    let place = StorePlace(folder: store.environment.directory)
    defer { store.close() }
    let changes = LiveChanges()
    let follower = try ChangeFollower(store) { changes.add($0) }
    // Requests that wait for a change are answered, or the server would wait for them when it ends.
    defer { changes.end() }
    let pages = Browsing(store: store, changes: changes, isWriting: isWriting)
    let server = try HTTPServer(
      port: port, threads: .eachConnection, connectionsMax: Browsing.connectionsMax,
      bodyBytesMax: Browsing.bodyBytesMax, timeoutSeconds: Browsing.connectionSeconds
    ) { pages.response(to: $0) }
    pages.serve(at: server.port)
    try output.writeLine(pages.address)
    try output.flush()
    try withExtendedLifetime((follower, server)) { try changes.watch(place) }
  }
}

/// A port that a program may listen on.
struct PortNumber: ArgumentValue {
  let value: UInt16

  init?(argument: String) {
    guard let value = UInt16(argument), value > 0 else { return nil }
    self.value = value
  }

  static var expectation: String { "a number from 1 to 65535" }
}
