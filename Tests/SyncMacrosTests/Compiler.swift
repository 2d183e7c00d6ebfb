import Foundation
import TestSupport

/// One run of the Swift compiler over a fixture, with the plugin and the library that belong to this test run.
struct Compiler {
  /// An error or a warning at a line of the fixture.
  struct Finding: Hashable {
    let line: Int
    let message: String
  }

  /// What the compiler wrote.
  let output: String

  /// The errors and warnings. One that is in generated code counts for the line that the code was generated from.
  let findings: [Finding]

  /// The lines of the fixture that say `// error: <part of a message>`.
  let expected: [Finding]

  /// Compiles the fixture up to and including the checks that every initializer sets every property.
  init(checking fixture: String) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let source = tests.appendingPathComponent("Fixtures/\(fixture).swift")
    let arguments = [
      "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-module-name", "Fixture", "-package-name",
      "fixture",
    ]
    output = try Self.run(arguments + Self.libraryArguments() + [source.path])
    findings = Self.findings(in: output, at: source.path)
    expected = Self.expectations(in: try String(contentsOf: source, encoding: .utf8))
  }

  /// What lets the compiler find the plugin and the library that belong to this test run.
  static func libraryArguments() throws -> [String] {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let products = try URL(
      fileURLWithPath: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    ).deletingLastPathComponent()
    var arguments = ["-load-plugin-executable", "\(products.path)/SyncMacros-tool#SyncMacros"]
    for folder in ["Modules", "CSimdjson.build"] { arguments += ["-I", "\(products.path)/\(folder)"] }
    for library in ["CLMDB", "CXXHash", "CSwiftRuntime"] { arguments += ["-I", "\(package.path)/Sources/\(library)"] }
    return arguments
  }

  /// Runs a command, and returns what it writes.
  static func run(_ arguments: [String]) throws -> String {
    let folder = try TemporaryFolder()
    _ = try ChildProgram("/usr/bin/env", arguments, output: folder["output"]).wait()
    return try String(contentsOfFile: folder["output"], encoding: .utf8)
  }

  private static func findings(in output: String, at path: String) -> [Finding] {
    var findings: [Finding] = []
    var pending: String?
    for line in output.split(separator: "\n") {
      if let message = line.firstMatch(of: /^[^ |`].*?:\d+:\d+: (?:error|warning): (.*)$/)?.1 {
        pending = String(message)
      }
      guard let message = pending, let range = line.range(of: "\(path):") else { continue }
      findings.append(Finding(line: Int(line[range.upperBound...].prefix { $0.isNumber }) ?? 0, message: message))
      pending = nil
    }
    if let pending { findings.append(Finding(line: 0, message: pending)) }
    return findings
  }

  private static func expectations(in source: String) -> [Finding] {
    source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
      guard let range = line.range(of: "// error: ") else { return nil }
      return Finding(line: index + 1, message: String(line[range.upperBound...]))
    }
  }
}
