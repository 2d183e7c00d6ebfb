import Foundation
import Glibc
import TestSupport
import Testing

/// A Chromium without a window, and one page in it. `Tools/setup --browser` installs it.
final class Chromium {
  /// Where it is; nil where it isn't.
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: TemporaryFolder
  private let process: pid_t
  private let input: FileHandle
  private let output: FileHandle
  private var session: String?
  private var lastMessage = 0
  private var received = Data()
  /// What the page has said is wrong: uncaught errors, and what its policy has kept it from.
  private(set) var complaints: [String] = []

  /// Above the descriptors that the browser expects.
  private static let descriptorMin: Int32 = 32

  /// Opens a page. The browser is told what to do through pipes, its descriptors 3 and 4.
  init(_ address: String) throws {
    folder = try TemporaryFolder()
    let program = try #require(Self.path)
    let (commands, messages) = (try Self.pipe(), try Self.pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, commands.read, 3)
    posix_spawn_file_actions_adddup2(&actions, messages.write, 4)
    let words = [
      program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--remote-debugging-pipe", "--user-data-dir=\(folder["profile"])", "--window-size=1280,800",
      // It asks nobody but the page's server.
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "about:blank",
    ]
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, nil, &pointers, environ)
    close(commands.read)
    close(messages.write)
    self.process = process
    input = FileHandle(fileDescriptor: commands.write, closeOnDealloc: true)
    output = FileHandle(fileDescriptor: messages.read, closeOnDealloc: true)
    guard code == 0 else { throw Failure(description: "\(program) could not be started: error \(code).") }
    let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"] as? String
    session =
      try call("Target.attachToTarget", ["targetId": try #require(target), "flatten": true])["sessionId"] as? String
    for domain in ["Runtime", "Log", "Page"] { try call("\(domain).enable") }
    try call("Page.navigate", ["url": address])
  }

  deinit {
    guard process > 0 else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  /// What an expression of JavaScript is in the page, after its promise.
  @discardableResult
  func evaluate(_ expression: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate", ["expression": expression, "awaitPromise": true, "returnByValue": true])
    if let exception = answer["exceptionDetails"] { throw Failure(description: "\(expression): \(exception)") }
    return (answer["result"] as? [String: Any])?["value"]
  }

  /// Waits until an expression is true in the page.
  func wait(until condition: String) throws {
    try evaluate(
      "new Promise((done) => { const look = () => { if (\(condition)) done(true); else setTimeout(look, 10); }; look(); })"
    )
  }

  /// Presses a key, as a person would.
  func press(_ key: String, text: String? = nil, code: Int = 0) throws {
    var parameters: [String: Any] = ["key": key, "windowsVirtualKeyCode": code]
    if let text = text ?? (key.count == 1 ? key : nil) { parameters["text"] = text }
    try call("Input.dispatchKeyEvent", parameters.merging(["type": "keyDown"]) { $1 })
    try call("Input.dispatchKeyEvent", ["type": "keyUp", "key": key])
  }

  func type(_ text: String) throws { try call("Input.insertText", ["text": text]) }

  /// Shows the page as to somebody who wants it dark, or with another width.
  func show(dark isDark: Bool, width: Int = 1280) throws {
    let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
    try call("Emulation.setEmulatedMedia", ["features": [scheme]])
    try call(
      "Emulation.setDeviceMetricsOverride", ["width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false])
  }

  /// A picture of the page, as PNG.
  func picture() throws -> Data {
    let data = try call("Page.captureScreenshot")["data"] as? String
    return try #require(data.flatMap { Data(base64Encoded: $0) })
  }

  // MARK: Messages

  @discardableResult
  private func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    lastMessage += 1
    var message: [String: Any] = ["id": lastMessage, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    try input.write(contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
    while true {
      let answer = try nextMessage()
      note(answer)
      guard answer["id"] as? Int == lastMessage else { continue }
      if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  private func nextMessage() throws -> [String: Any] {
    while true {
      if let end = received.firstIndex(of: 0) {
        let message = try JSONSerialization.jsonObject(with: received[..<end])
        received = Data(received[received.index(after: end)...])
        return message as? [String: Any] ?? [:]
      }
      // What there is: a file handle would wait for as much as was asked for.
      var more = [UInt8](repeating: 0, count: 1 << 16)
      let count = Glibc.read(output.fileDescriptor, &more, more.count)
      if count <= 0 { throw Failure(description: "The browser has ended.") }
      received.append(contentsOf: more[..<count])
    }
  }

  private func note(_ message: [String: Any]) {
    let parameters = message["params"] as? [String: Any]
    switch message["method"] as? String {
    case "Runtime.exceptionThrown": complaints.append("\(parameters?["exceptionDetails"] ?? "")")
    case "Log.entryAdded":
      guard let entry = parameters?["entry"] as? [String: Any], entry["level"] as? String == "error" else { return }
      complaints.append("\(entry["text"] ?? "") \(entry["url"] ?? "")")
    default: break
    }
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw Failure(description: "There is no pipe: error \(errno).") }
    let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, descriptorMin) }
    for end in ends { close(end) }
    return (high[0], high[1])
  }
}
