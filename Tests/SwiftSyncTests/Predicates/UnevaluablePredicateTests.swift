// swift-format-ignore-file: NeverForceUnwrap
// Unwrapping is part of what predicates say.

import Foundation
import SwiftSync
import Testing

/// Predicates that would stop the process if Foundation evaluated them, or that fail in some rows only.
struct UnevaluablePredicateTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let predicate: Predicate<Specimen>
    let error: FetchError
    var testDescription: String { "\(error)" }

    init(_ error: FetchError, _ predicate: Predicate<Specimen>) {
      self.predicate = predicate
      self.error = error
    }
  }

  static let cases: [Case] = {
    let zero = 0
    return [
      Case(.forcedUnwrapOfNil(expression: "$0.nick"), #Predicate { $0.nick! == "a" }),
      Case(.forcedUnwrapOfNil(expression: "$0.owner"), #Predicate { $0.owner!.name == "Ann" }),
      Case(.forcedUnwrapOfNil(expression: "$0.owner?.boss"), #Predicate { $0.owner?.boss!.age == 3 }),
      Case(.forcedUnwrapOfNil(expression: "$0.optionalDate"), #Predicate { $0.flag || $0.optionalDate! < $0.date }),
      Case(.arithmeticOverflow(expression: "$0.int + 1"), #Predicate { $0.int + 1 > 5 }),
      Case(.arithmeticOverflow(expression: "$0.int - 1"), #Predicate { $0.int - 1 > 5 }),
      Case(.arithmeticOverflow(expression: "$0.int * $0.int"), #Predicate { $0.int * $0.int > 5 }),
      Case(.arithmeticOverflow(expression: "-$0.int"), #Predicate { -$0.int > 5 }),
      Case(.arithmeticOverflow(expression: "$0.int / -1"), #Predicate { $0.int / -1 > 5 }),
      Case(.arithmeticOverflow(expression: "$0.small * $0.small"), #Predicate { $0.small * $0.small == 4 }),
      Case(.divisionByZero(expression: "100 / $0.int"), #Predicate { 100 / $0.int > 5 }),
      Case(.divisionByZero(expression: "$0.id % $0.int"), #Predicate { $0.id % $0.int > 5 }),
      Case(.divisionByZero(expression: "$0.id / 0"), #Predicate { $0.id / zero == 5 }),
      Case(.invalidRange(expression: "$0.int...3"), #Predicate { ($0.int...3).contains(2) }),
      Case(.invalidRange(expression: "0..<$0.int"), #Predicate { (0..<$0.int).contains($0.id) }),
      Case(.indexOutOfRange(expression: "$0.tags[7]"), #Predicate { $0.tags[7] == "a" }),
      Case(.indexOutOfRange(expression: "$0.tags[1..<9]"), #Predicate { $0.tags[1..<9].contains("a") }),
      Case(
        .arithmeticOverflow(expression: "$1.int * 2"),
        #Predicate { $0.group.specimens.contains { $0.int * 2 == 7 } }),
    ]
  }()

  @Test(arguments: cases)
  func theErrorNamesTheExpression(_ row: Case) throws {
    let context = ModelContext(try SpecimenStore(seed: 11).container)
    let descriptor = FetchDescriptor(predicate: row.predicate)
    #expect(throws: row.error) { try context.fetch(descriptor) }
    #expect(throws: row.error) { try context.fetchCount(descriptor) }
    #expect(throws: row.error) { try context.delete(model: Specimen.self, where: row.predicate) }
    #expect(!context.hasChanges)
    #expect(try context.fetchCount(FetchDescriptor<Specimen>()) == SpecimenStore.count)
  }

  /// Rows that the rest of the predicate rules out do not matter, whatever the plan looks at first.
  @Test func whatIsRuledOutIsNotEvaluated() throws {
    let context = ModelContext(try SpecimenStore(seed: 12).container)
    let guarded: [Predicate<Specimen>] = [
      #Predicate { $0.nick != nil && $0.nick! == "a" },
      #Predicate { $0.int != 0 && 100 / $0.int > 5 },
      #Predicate { $0.int < 1000 && $0.int > -1000 && $0.int * 2 == 10 },
      #Predicate { $0.int == 0 || 100 / $0.int > 5 },
      #Predicate { $0.tags.count > 1 && $0.tags[1] == "a" },
      #Predicate { $0.owner == nil || $0.owner!.age > 3 },
    ]
    for predicate in guarded {
      let all = try context.fetch(FetchDescriptor<Specimen>())
      let expected = try all.filter { try predicate.evaluate($0) }.count
      #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == expected)
    }
  }

  @Test func unwrappingWorksWhereEveryRowHasAValue() throws {
    let context = ModelContext(try SpecimenStore(seed: 13).container)
    for specimen in try context.fetch(FetchDescriptor<Specimen>()) { specimen.nick = specimen.nick ?? "none" }
    try context.save()
    let descriptor = FetchDescriptor<Specimen>(predicate: #Predicate { $0.nick! == "abc" })
    #expect(try context.fetchCount(descriptor) > 0)
    #expect(try descriptor.explain(in: context).contains("index"))
  }
}
