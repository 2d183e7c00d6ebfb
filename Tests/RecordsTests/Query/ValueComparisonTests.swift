import Foundation
import Testing

@testable import Records

/// Values of every pair of types compare as they should: by `FieldValue.matches`, in a filter on a record, and by an index.
@Suite struct ValueComparisonTests {
  /// Whether the left value is less than, equal to or greater than the right one, or none of these.
  enum Relation {
    case less, equal, greater, none
  }

  struct Example: CustomStringConvertible {
    var type: AttributeType
    var left: FieldValue
    var relation: Relation
    var right: FieldValue
    /// Whether these are dates of which one is NaN: then `<=` and `>=` hold, which `Date` does not define but gets as the
    /// opposites of `>` and `<`.
    var isOfDates: Bool {
      if case (.date, .none, .date) = (left, relation, right) { true } else { false }
    }
    var description: String { "\(Self.text(of: left)) \(relation) \(Self.text(of: right))" }

    /// Foundation's own text of a date traps if the date is NaN.
    private static func text(of value: FieldValue) -> String {
      if case .date(let date) = value { "\(date.timeIntervalSinceReferenceDate) s" } else { "\(value)" }
    }

    init(_ type: AttributeType, _ left: FieldValue, _ relation: Relation, _ right: FieldValue) {
      self.type = type
      self.left = left
      self.relation = relation
      self.right = right
    }
  }

  private static let nan = Date(timeIntervalSinceReferenceDate: .nan)

  static let examples: [Example] = [
    Example(.int64, .int(3), .less, .double(3.5)),
    Example(.int64, .int(-3), .greater, .double(-3.5)),
    Example(.int64, .int(3), .equal, .double(3)),
    Example(.int64, .int(.max), .less, .double(0x1p63)),
    Example(.int64, .int(.max), .greater, .double(0x1p63.nextDown)),
    Example(.int64, .int(.min), .equal, .double(-0x1p63)),
    Example(.int64, .int(.min), .greater, .double(-.infinity)),
    Example(.int64, .int(.max), .less, .double(.infinity)),
    Example(.int64, .int(0), .none, .double(.nan)),
    Example(.int64, .int(.max), .less, .uint(.max)),
    Example(.int8, .int(100), .less, .int(1000)),
    Example(.int16, .int(-1), .less, .uint(0)),
    Example(.int32, .int(0), .equal, .double(-0.0)),
    Example(.int64, .int(2), .less, .decimal(Decimal(string: "2.5") ?? 0)),
    Example(.uint64, .uint(.max), .less, .double(0x1p64)),
    Example(.uint64, .uint(0), .greater, .int(-1)),
    Example(.uint64, .uint(0), .greater, .double(-0.5)),
    Example(.uint64, .uint(1 << 63), .greater, .int(.max)),
    Example(.uint8, .uint(255), .less, .int(256)),
    Example(.double, .double(.nan), .none, .double(.nan)),
    Example(.double, .double(.nan), .none, .int(0)),
    Example(.double, .double(-0.0), .equal, .double(0)),
    Example(.double, .double(0x1p53), .less, .int((1 << 53) + 1)),
    Example(.double, .double(0x1p53 + 2), .greater, .int((1 << 53) + 1)),
    Example(.double, .double(0x1p63), .greater, .int(.max)),
    Example(.double, .double(0.5), .equal, .decimal(Decimal(string: "0.5") ?? 0)),
    Example(.double, .double(1e300), .greater, .decimal(.greatestFiniteMagnitude)),
    Example(.double, .double(.infinity), .greater, .double(.greatestFiniteMagnitude)),
    Example(.float, .float(0.1), .greater, .double(0.1)),
    Example(.float, .float(0.5), .equal, .double(0.5)),
    Example(.float, .float(.infinity), .equal, .double(.infinity)),
    Example(.float, .float(16_777_216), .less, .int(16_777_217)),
    Example(.decimal, .decimal(2), .equal, .int(2)),
    Example(.decimal, .decimal(Decimal(string: "18446744073709551615.5") ?? 0), .greater, .uint(.max)),
    Example(.decimal, .decimal(.nan), .equal, .decimal(.nan)),
    Example(.decimal, .decimal(.nan), .less, .decimal(-.greatestFiniteMagnitude)),
    Example(.decimal, .decimal(1), .less, .double(1.5)),
    Example(.decimal, .decimal(1), .none, .double(.nan)),
    Example(.string, .string("e\u{301}"), .equal, .string("\u{E9}")),
    Example(.string, .string("\u{212B}"), .equal, .string("A\u{30A}")),
    Example(.string, .string("Z"), .less, .string("a")),
    Example(.string, .string("a"), .less, .string("a\0")),
    Example(.string, .string(""), .less, .string("\0")),
    Example(.string, .string("\u{FFFF}"), .less, .string("\u{10000}")),
    Example(.string, .string("1"), .none, .int(1)),
    Example(.url, .url("http://a"), .equal, .string("http://a")),
    Example(.bool, .bool(false), .less, .bool(true)),
    Example(.bool, .bool(true), .none, .int(1)),
    Example(
      .date, .date(Date(timeIntervalSinceReferenceDate: -1)), .less, .date(Date(timeIntervalSinceReferenceDate: 0))),
    Example(.date, .date(.distantFuture), .greater, .date(.distantPast)),
    Example(.date, .date(Date(timeIntervalSinceReferenceDate: 0)), .none, .double(0)),
    Example(.date, .date(nan), .none, .date(Date(timeIntervalSinceReferenceDate: 0))),
    Example(.date, .date(Date(timeIntervalSinceReferenceDate: .infinity)), .none, .date(nan)),
    Example(.date, .date(Date(timeIntervalSinceReferenceDate: -.infinity)), .none, .date(nan)),
    Example(.date, .date(nan), .none, .date(nan)),
    Example(
      .uuid, .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))), .less,
      .uuid(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))),
    Example(.data, .data(Data([1])), .less, .data(Data([1, 0]))),
    Example(.data, .data(Data([255])), .greater, .data(Data([1, 0]))),
    Example(.data, .data(Data([1])), .none, .composite(Data([1]))),
    Example(.int64, .null, .less, .null), Example(.string, .null, .none, .string("")),
  ]

  private static func expected(_ comparison: Comparison, _ example: Example) -> Bool {
    // Two nulls are equal, and neither less nor greater.
    if example.left == .null, example.right == .null { return comparison == .equal }
    return switch comparison {
    case .equal: example.relation == .equal
    case .notEqual: example.relation != .equal
    case .less: example.relation == .less
    case .lessOrEqual: example.relation == .less || example.relation == .equal || example.isOfDates
    case .greater: example.relation == .greater
    case .greaterOrEqual: example.relation == .greater || example.relation == .equal || example.isOfDates
    }
  }

  private static let comparisons: [Comparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]

  @Test(arguments: examples)
  func valuesCompare(example: Example) {
    for comparison in Self.comparisons {
      let expected = Self.expected(comparison, example)
      #expect(example.left.matches(comparison, example.right) == expected, "\(comparison)")
      if example.left != .null {
        #expect(example.right.matches(comparison.flipped, example.left) == expected, "\(comparison), exchanged")
      }
    }
  }

  @Test(arguments: examples)
  func fieldsCompare(example: Example) throws {
    let attribute = AttributeDescription(name: "value", type: example.type, isOptional: true)
    for indexes in [[["value"]], []] {
      let store = try RecordStore.temporary(
        schema: StoreSchema(entities: [EntityDescription(name: "Thing", attributes: [attribute], indexes: indexes)]))
      defer { store.close() }
      try store.write { transaction in
        _ = try transaction.insert("Thing") { builder, _ in builder.set(0, example.left) }
      }
      try store.read { snapshot in
        let thing = try snapshot.entity("Thing")
        for comparison in Self.comparisons {
          let expected: [RowNumber] = Self.expected(comparison, example) ? [RowNumber(rawValue: 1)] : []
          let condition = Condition.compare(0, comparison, example.right)
          let planner = QueryPlanner(RecordQuery(thing, where: condition), in: snapshot)
          for choice in try planner.choices() {
            let plan = try planner.plan(choice)
            #expect(try snapshot.rows(plan) == expected, "\(comparison) by \(plan)")
          }
          let exchanged = Condition.compare(.constant(example.right), comparison.flipped, .field(0))
          #expect(try snapshot.rows(snapshot.plan(RecordQuery(thing, where: exchanged))) == expected)
        }
        let isListed = Condition.oneOf(0, [.bool(false), example.right, .int(77)])
        #expect(
          try snapshot.count(RecordQuery(thing, where: isListed))
            == (Self.expected(.equal, example) || example.left == .bool(false) ? 1 : 0))
      }
    }
  }
}
