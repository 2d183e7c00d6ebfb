import Foundation
import Records
import Testing

@testable import Sync

@Suite("CD-4.4 Predicates that are read from text")
struct PredicateFormatTests {
  private static let yesterday = Date(timeIntervalSinceReferenceDate: 800_000_000)
  private static let note = ManagedObjectID(entityName: "Note", row: RowNumber(rawValue: 7))

  struct Case: CustomTestStringConvertible, Sendable {
    let format: String
    let arguments: [any Sendable]
    let predicate: ObjectPredicate

    var testDescription: String { format }

    init(_ format: String, _ arguments: any Sendable..., is predicate: ObjectPredicate) {
      self.format = format
      self.arguments = arguments
      self.predicate = predicate
    }
  }

  private static let cases: [Case] = [
    Case("createdAt > %@", yesterday, is: Key("createdAt") > yesterday),
    Case(
      "age >= %d AND name BEGINSWITH[cd] %@", 18, "A",
      is: Key("age") >= 18 && Key("name").begins(with: "A", [.caseInsensitive, .diacriticInsensitive])),
    Case(
      "name BEGINSWITH[cd] 'A' and age >= 18",
      is: Key("name").begins(with: "A", [.caseInsensitive, .diacriticInsensitive]) && Key("age") >= 18),
    Case("ANY notes.text CONTAINS[c] \"x\"", is: Key("notes.text").any.contains("x", .caseInsensitive)),
    Case("some notes.text contains 'x'", is: Key("notes.text").any.contains("x")),
    Case("NONE notes.text == 'x'", is: !(Key("notes.text").any == "x")),
    Case("ALL notes.size < 3", is: Key("notes.size").all < 3),
    Case("note == %@", note, is: Key("note") == note),
    Case("note == nil || note = NULL", is: Key("note") == nil || Key("note") == nil),
    Case("note != %@", String?.none, is: Key("note") != nil),
    Case("%K == %@", "a.b", "c", is: Key("a.b") == "c"),
    Case("%K.b == %@", "a", "c", is: Key("a.b") == "c"),
    Case("ANY tags IN %@", [note], is: Key("tags").any.isIn([note])),
    Case("age IN {1, 2.5, -3}", is: Key("age").isIn([1, 2.5, -3] as [AttributeValue])),
    Case("age IN %@", [1, 2], is: Key("age").isIn([1, 2])),
    Case("age IN {}", is: Key("age").isIn([Int]())),
    Case("age BETWEEN {1, %d}", 9, is: Key("age").isBetween(1, 9)),
    Case("NOT done == YES", is: !(Key("done") == true)),
    Case("!(a == 1) && !b == FALSE", is: !(Key("a") == 1) && !(Key("b") == false)),
    Case("a == 1 OR b == 2 AND c == 3", is: Key("a") == 1 || .and([Key("b") == 2, Key("c") == 3])),
    Case("(a == 1 OR b == 2) AND c == 3", is: .and([Key("a") == 1 || Key("b") == 2, Key("c") == 3])),
    Case("a == 1 AND b == 2 AND c == 3", is: Key("a") == 1 && Key("b") == 2 && Key("c") == 3),
    Case("((((a)) == ((1))))", is: Key("a") == 1),
    Case("TRUEPREDICATE", is: .constant(true)),
    Case("falsepredicate OR a <> 1", is: .constant(false) || Key("a") != 1),
    Case("notes.@count >= 2", is: Key("notes").count >= 2),
    Case(
      "notes.@max.size =< 2",
      is: .comparison(.init(.collection(path: "notes", operation: .max, member: "size"), .lessOrEqual, .value(2)))),
    Case(
      "SUBQUERY(notes, $n, $n.size > 3 AND $n != nil).@count => 1",
      is: .comparison(
        .init(.count(path: "notes", of: Key("size") > 3 && Key.object != nil), .greaterOrEqual, .value(1)))),
    Case("SELF == %@", note, is: Key.object == note),
    Case("SELF.name == 'x'", is: Key("name") == "x"),
    Case("#any == 1 AND a.like.in == 2", is: Key("any") == 1 && Key("a.like.in") == 2),
    Case(
      "a + b * 2 - 1 > -c / 3",
      is: .comparison(
        .init(
          .arithmetic(
            .arithmetic(.keyPath("a"), .add, .arithmetic(.keyPath("b"), .multiply, .value(2))), .subtract, .value(1)),
          .greater, .arithmetic(.negated(.keyPath("c")), .divide, .value(3))))),
    Case(
      "(a + b) * 2 > 0",
      is: .comparison(
        .init(.arithmetic(.arithmetic(.keyPath("a"), .add, .keyPath("b")), .multiply, .value(2)), .greater, .value(0)))),
    Case("a == 'it\\'s' OR a == \"\\u0041\\n\\\"\"", is: Key("a") == "it's" || Key("a") == "A\n\""),
    Case("a == '%@'", is: Key("a") == "%@"),
    Case("a == 1e3 OR a == 1.5E-2 OR a == .5", is: Key("a") == 1000.0 || Key("a") == 0.015 || Key("a") == 0.5),
    Case("a == -9223372036854775808", is: Key("a") == Int64.min),
    Case("a == 18446744073709551615", is: Key("a") == Decimal(UInt64.max)),
    Case("a == CAST(\"2001-01-01T00:01:00Z\", \"NSDate\")", is: Key("a") == Date(timeIntervalSinceReferenceDate: 60)),
    Case("a == CAST(-1.5, 'NSDate')", is: Key("a") == Date(timeIntervalSinceReferenceDate: -1.5)),
    Case("a == CAST('1.10', 'NSDecimalNumber')", is: Key("a") == (Decimal(string: "1.1") ?? 0)),
    Case("größe ≥ 1".replacingOccurrences(of: "≥", with: ">="), is: Key("größe") >= 1),
    Case(
      "name LIKE[c] 'a*' AND name ENDSWITH 'b'",
      is: Key("name").isLike("a*", .caseInsensitive) && Key("name").ends(with: "b")),
    Case("%@ IN names", "x", is: .comparison(.init(.value("x"), .isIn, .keyPath("names")))),
    Case(
      "a == %f AND b == %ld AND c == %lu", 1.5, 2, 3 as UInt8, is: Key("a") == 1.5 && Key("b") == 2 && Key("c") == 3),
  ]

  @Test("CD-4.4 The format's operators, literals and placeholders", arguments: cases)
  func formats(_ sample: Case) throws {
    let predicate = try ObjectPredicate(format: sample.format, argumentArray: sample.arguments)
    #expect(predicate == sample.predicate, "\(predicate)")
  }

  @Test("CD-4.4 Objects of Foundation are arguments like others")
  func foundationArguments() throws {
    let predicate = try ObjectPredicate(
      format: "a == %@ AND b == %@ AND c == %@ AND d == %@ AND e IN %@ AND f == %@", NSNumber(value: 5),
      NSNumber(value: true), NSString(string: "x"), NSDate(timeIntervalSinceReferenceDate: 5),
      NSArray(array: [1, "y"]), NSNull())
    let expected: [ObjectPredicate] = [
      Key("a") == 5, Key("b") == true, Key("c") == "x", Key("d") == Date(timeIntervalSinceReferenceDate: 5),
      Key("e").isIn([1, "y"] as [AttributeValue]), Key("f") == nil,
    ]
    #expect(predicate == .and(expected))
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let format: String
    let arguments: [any Sendable]
    let error: PredicateFormatError

    var testDescription: String { format }

    init(_ format: String, _ arguments: any Sendable..., error: PredicateFormatError) {
      self.format = format
      self.arguments = arguments
      self.error = error
    }
  }

  private static let refusedTexts: [Refusal] = [
    Refusal("", error: .unexpected(position: 0, found: "the end", expected: "a name or a value")),
    Refusal("age", error: .unexpected(position: 3, found: "the end", expected: "an operator such as ==")),
    Refusal("age >", error: .unexpected(position: 5, found: "the end", expected: "a name or a value")),
    Refusal("age > 18 name", error: .unexpected(position: 9, found: "name", expected: "AND, OR or the end")),
    Refusal("age > 18)", error: .unexpected(position: 8, found: ")", expected: "AND, OR or the end")),
    Refusal("(age > 18", error: .unexpected(position: 9, found: "the end", expected: ")")),
    Refusal("(age > 18) > 3", error: .unexpected(position: 0, found: "a predicate", expected: "a value")),
    Refusal("3 > (age > 18)", error: .unexpected(position: 4, found: "a predicate", expected: "a value")),
    Refusal("AND", error: .unexpected(position: 0, found: "AND", expected: "a name or a value")),
    Refusal("a == 1 AND b", error: .unexpected(position: 12, found: "the end", expected: "an operator such as ==")),
    Refusal(
      "ANY notes", error: .unexpected(position: 9, found: "the end", expected: "an operator such as == behind ANY")),
    Refusal("é == 'x", error: .unterminatedText(position: 5)),
    Refusal("a == 'x\\", error: .unterminatedText(position: 5)),
    Refusal("a ? b", error: .unexpected(position: 2, found: "?", expected: "a name, a value or an operator")),
    Refusal("a == 5x", error: .unexpected(position: 6, found: "x", expected: "the end of the number 5")),
    Refusal("a == 1e999", error: .unexpected(position: 5, found: "1e999", expected: "a number that is not as large")),
    Refusal("a == %q", error: .unexpected(position: 5, found: "%q", expected: "one of %@, %K, %d, %ld, %lu and %f")),
    Refusal("a ==[x] 'b'", error: .unexpected(position: 5, found: "x", expected: "c, d or cd")),
    Refusal("a == %@ AND b == %@", 1, error: .missingArgument(position: 17, specifier: "%@", number: 2)),
    Refusal("a == %d", "x", error: .wrongArgument(position: 5, specifier: "%d", number: 1, type: "String")),
    Refusal("%K == 1", 5, error: .wrongArgument(position: 0, specifier: "%K", number: 1, type: "Int")),
    Refusal("a == 1", 5, error: .unusedArguments(used: 0, given: 1)),
    Refusal("name MATCHES '.*'", error: .unsupported(position: 5, what: "a regular expression")),
    Refusal("length(name) > 1", error: .unsupported(position: 6, what: "the function length")),
    Refusal("notes.@sum.size > 1", error: .unsupported(position: 7, what: "@sum")),
    Refusal("notes[0].size > 1", error: .unsupported(position: 5, what: "an index")),
    Refusal("a == $x", error: .unsupported(position: 5, what: "the variable $x")),
    Refusal(
      "SUBQUERY(notes, $n, size > 1).@count > 0", error: .unsupported(position: 20, what: "size without $n in front")),
    Refusal("SUBQUERY(notes, $n, $n.size > 1) > 0", error: .unexpected(position: 33, found: ">", expected: ".@count")),
    Refusal(
      "a == CAST('soon', 'NSDate')",
      error: .unexpected(position: 10, found: "\"soon\"", expected: "a value of the type NSDate")),
  ]

  @Test("CD-12.2 What is no predicate is an error with its place", arguments: refusedTexts)
  func refusals(_ sample: Refusal) {
    #expect(throws: sample.error) { try ObjectPredicate(format: sample.format, argumentArray: sample.arguments) }
    #expect("\(sample.error)".hasSuffix("."))
  }

  @Test("CD-12.2 An argument of a type that no attribute has is an error")
  func strangeArgument() {
    struct Strange: Sendable {}
    #expect(throws: PredicateFormatError.wrongArgument(position: 5, specifier: "%@", number: 1, type: "Strange")) {
      try ObjectPredicate(format: "a == %@", Strange())
    }
  }

  @Test(
    "CD-12.2 However deep a text is nested, it is an error and not the end of the stack",
    arguments: [
      ("", "(", "a == 1"), ("", "NOT ", "a == 1"), ("", "-", "a == 1"), ("a IN ", "{", "1"), ("", "a + ", "1 == 1"),
      ("SUBQUERY(a, $x, ", "SUBQUERY($x.a, $x, ", "$x == nil"),
    ])
  func depth(start: String, opening: String, end: String) {
    let error = #expect(throws: PredicateFormatError.self) {
      try ObjectPredicate(format: start + String(repeating: opening, count: 20_000) + end)
    }
    if case .tooDeep(_, FormatParser.depthMax) = error { return }
    Issue.record("\(String(describing: error))")
  }
}
