import Foundation

/// This program once more, as the server: a process of its own, which ends with this one.
struct ServerProcess {
  /// Where it listens.
  let address: String

  private let process: Process
  private let input: Pipe

  /// Starts a server on a store, and waits until it listens.
  init(store: URL) throws {
    let output = Pipe()
    input = Pipe()
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["serve", store.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n"), let bytes = try output.fileHandleForReading.read(upToCount: 1) {
      if bytes.isEmpty { break }
      line.append(bytes)
    }
    let text = String(decoding: line, as: UTF8.self)
    guard text.hasPrefix(Serving.announcement) else { throw DemoError.serverSilent }
    address = text.dropFirst(Serving.announcement.count).trimmingCharacters(in: .newlines)
  }

  /// Ends it, and waits until it has ended.
  func stop() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
