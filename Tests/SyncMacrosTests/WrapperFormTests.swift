import Foundation
import TestSupport
import Testing

@Suite("12.2 12.3 The property wrappers in their form for SwiftUI")
struct WrapperFormTests {
  @Test("They compile where SwiftUI can be imported, and screens that use them in every form do too")
  func compile() throws {
    let folder = try TemporaryFolder()
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let fixtures = tests.appendingPathComponent("Fixtures/SwiftUI")
    let module = try Compiler.run([
      "swiftc", "-emit-module", "-parse-as-library", "-swift-version", "6", "-module-name", "SwiftUI", "-o",
      folder["SwiftUI.swiftmodule"], fixtures.appendingPathComponent("StandIn.swift").path,
    ])
    #expect(module == "")
    // The wrappers themselves, as files of the application that use what the library has beside them.
    let wrappers = tests.appendingPathComponent("../../Sources/SwiftSync/Reactive/Wrappers").standardizedFileURL
    var files = [fixtures.appendingPathComponent("Views.swift")]
    files += try FileManager.default.contentsOfDirectory(at: wrappers, includingPropertiesForKeys: nil)
    #expect(files.count > 3)
    let copies = try files.map { file in
      let copy = folder[file.lastPathComponent]
      let source = try String(contentsOf: file, encoding: .utf8)
      try "@testable import SwiftSync\n\(source)".write(toFile: copy, atomically: false, encoding: .utf8)
      return copy
    }
    let output = try Compiler.run(
      ["swiftc", "-typecheck", "-swift-version", "6", "-module-name", "Screens", "-I", folder.path]
        + Compiler.libraryArguments() + copies.sorted())
    #expect(!output.contains("error:") && !output.contains("warning:"), "\(output)")
  }
}
