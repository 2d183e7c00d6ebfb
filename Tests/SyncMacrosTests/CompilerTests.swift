import Testing

/// The expansions and diagnostics as a user meets them: through the compiler, the plugin's program and the overloads of
/// the library.
@Suite("What the compiler says to a model")
struct CompilerTests {
  @Test(
    "Each mistake is found where it was made, and nothing else is",
    arguments: ["RejectedModels", "IncompleteInitializer"])
  func mistakes(fixture: String) throws {
    let compiler = try Compiler(checking: fixture)
    #expect(!compiler.expected.isEmpty)
    for expected in compiler.expected {
      let isFound = compiler.findings.contains { $0.line == expected.line && $0.message.contains(expected.message) }
      #expect(isFound, "line \(expected.line) should say: \(expected.message)\n\(compiler.output)")
    }
    for finding in compiler.findings {
      let isExpected = compiler.expected.contains { $0.line == finding.line && finding.message.contains($0.message) }
      #expect(isExpected, "line \(finding.line) says: \(finding.message)")
    }
  }

  @Test(
    "B-30, B-31: Every form of model compiles without an error or a warning",
    arguments: ["ApplicationModels", "PropertyForms", "ClassForms"])
  func forms(fixture: String) throws {
    let compiler = try Compiler(checking: fixture)
    #expect(compiler.findings.isEmpty, "\(compiler.output)")
  }
}
