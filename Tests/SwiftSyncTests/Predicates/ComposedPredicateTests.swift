import Foundation
import SwiftSync
import Testing

protocol Lettered: PersistentModel {
  var text: String { get }
  var id: Int { get }
}

extension Specimen: Lettered {}

/// A requirement that is met by a computed property of another meaning than the stored one that it reads.
protocol Titled: PersistentModel {
  var heading: String { get }
}

extension SpecimenGroup: Titled {
  var heading: String { title == "x" ? "untitled" : title }
}

/// An expression that only the application knows.
struct IsShort<Text: PredicateExpression>: PredicateExpression where Text.Output == String {
  let text: Text

  func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    try text.evaluate(bindings).count < 2
  }
}

extension IsShort: Sendable where Text: Sendable {}
extension IsShort: Codable where Text: Codable {}
extension IsShort: StandardPredicateExpression where Text: StandardPredicateExpression {}

/// Predicates that are made in generic code, of other expressions, or by hand.
struct ComposedPredicateTests {
  let context: ModelContext
  let specimens: [Specimen]

  init() throws {
    context = ModelContext(try SpecimenStore(seed: 21).container)
    specimens = try context.fetch(FetchDescriptor<Specimen>())
  }

  private func lettered<Model: Lettered>(_ text: String) throws -> [Model] {
    try context.fetch(
      FetchDescriptor<Model>(predicate: #Predicate { $0.text == text && $0.id > 20 }, sortBy: [SortDescriptor(\.id)]))
  }

  @Test func keyPathsOfGenericCodeLeadWhereTheyLeadOnTheClass() throws {
    let found: [Specimen] = try lettered("a")
    #expect(found.map(\.id) == specimens.filter { $0.text == "a" && $0.id > 20 }.map(\.id).sorted())
    #expect(!found.isEmpty)
  }

  private func titled<Model: Titled>(_ heading: String) throws -> [Model] {
    try context.fetch(FetchDescriptor<Model>(predicate: #Predicate { $0.heading == heading }))
  }

  @Test func computedPropertiesAreNotTakenForWhatTheyRead() throws {
    let untitled: [SpecimenGroup] = try titled("untitled")
    #expect(untitled.map(\.title) == ["x"])
    let none: [SpecimenGroup] = try titled("x")
    #expect(none.isEmpty)
  }

  private func all<Model: PersistentModel>(_ type: Model.Type, but excluded: PersistentIdentifier) throws -> Int {
    try context.fetchCount(FetchDescriptor<Model>(predicate: #Predicate { $0.persistentModelID != excluded }))
  }

  @Test func identifiersAreKnownInGenericCode() throws {
    #expect(try all(Specimen.self, but: specimens[3].persistentModelID) == SpecimenStore.count - 1)
    #expect(try all(Specimen.self, but: specimens[3].group.persistentModelID) == SpecimenStore.count)
  }

  @Test func expressionsAreLookedThrough() throws {
    let half = #Expression<Specimen, Int> { $0.id / 2 }
    let length = #Expression<String, Int> { $0.count }
    let descriptor = FetchDescriptor<Specimen>(
      predicate: #Predicate { half[$0] == 20 || length[$0.text] > 900 }, sortBy: [SortDescriptor(\.id)])
    #expect(
      try context.fetch(descriptor).map(\.id)
        == specimens.filter { $0.id / 2 == 20 || $0.text.count > 900 }.map(\.id).sorted())
    #expect(try !descriptor.explain(in: context).contains("evaluate"))
  }

  @Test func conditionsComposeAsExpressions() throws {
    let isShort = #Expression<Specimen, Bool> { $0.text.count < 2 }
    let isFlagged = #Expression<Specimen, Bool> { $0.flag }
    let descriptor = FetchDescriptor<Specimen>(
      predicate: #Predicate { isShort[$0] && !isFlagged[$0] }, sortBy: [SortDescriptor(\.id)])
    let expected = specimens.filter { $0.text.count < 2 && !$0.flag }.map(\.id).sorted()
    #expect(try context.fetch(descriptor).map(\.id) == expected)
    #expect(try !descriptor.explain(in: context).contains("evaluate"))
  }

  @Test func expressionsThatFailAreNamed() throws {
    let triple = #Expression<Specimen, Int> { $0.int * 3 }
    #expect(throws: FetchError.arithmeticOverflow(expression: "$0.int * 3")) {
      try context.fetch(FetchDescriptor<Specimen>(predicate: #Predicate { triple[$0] == 20 }))
    }
  }

  @Test func expressionsOfTheApplicationAreEvaluated() throws {
    let predicate = Predicate<Specimen> { specimen in
      PredicateExpressions.build_Conjunction(
        lhs: IsShort(
          text: PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.text)),
        rhs: PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.flag))
    }
    let expected = specimens.filter { $0.text.count < 2 && $0.flag }.map(\.id).sorted()
    #expect(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.id).sorted() == expected)
    #expect(!expected.isEmpty)
  }

  @Test func constantPredicates() throws {
    #expect(try context.fetchCount(FetchDescriptor<Specimen>(predicate: .true)) == SpecimenStore.count)
    #expect(try context.fetchCount(FetchDescriptor<Specimen>(predicate: .false)) == 0)
  }

  /// A predicate can be sent and archived with the expressions that Foundation lacks here.
  @Test func textExpressionsCanBeArchived() throws {
    let predicate = #Predicate<Specimen> { $0.text.localizedStandardContains("ecole") }
    let expected = try specimens.filter { try predicate.evaluate($0) }.count
    #expect(expected > 0)
    #expect(expected == specimens.filter { $0.text.localizedStandardContains("ecole") }.count)
    #expect("\(predicate.expression)".contains("localizedStandardContains"))
  }
}
