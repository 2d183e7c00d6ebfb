import Testing

@Suite("What @ModelActor generates")
struct ModelActorExpansionTests {
  @Test func wholeActor() {
    let expansion = Expansion("@ModelActor public actor Importer {\n}")
    #expect(expansion.findings.isEmpty)
    #expect(
      expansion.text == """
        public actor Importer {

          public nonisolated let modelContainer: ModelContainer

          public nonisolated let modelExecutor: any ModelExecutor

          public init(modelContainer: ModelContainer) {
            self.modelContainer = modelContainer
            self.modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(modelContainer))
          }
        }

        extension Importer: ModelActor {
        }
        """)
  }

  @Test("The initializer can be left to the actor", arguments: [("true", false), ("false", true)])
  func ownInitializer(argument: String, isGenerated: Bool) {
    let expansion = Expansion("@ModelActor(disableGenerateInit: \(argument)) actor Importer {\n}")
    #expect(expansion.findings.isEmpty)
    #expect(expansion.text.contains("init(modelContainer: ModelContainer)") == isGenerated)
    #expect(expansion.text.contains("nonisolated let modelExecutor: any ModelExecutor"))
  }

  @Test("Anything but an actor is refused, and nothing is generated", arguments: ["class", "struct", "enum"])
  func notAnActor(kind: String) {
    let expansion = Expansion("@ModelActor \(kind) Importer {\n}")
    #expect(expansion.findings.map(\.message) == ["@ModelActor can only be applied to an actor"])
    #expect(!expansion.text.contains("modelExecutor") && !expansion.text.contains("extension"))
  }
}
