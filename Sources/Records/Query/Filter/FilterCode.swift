import FoundationEssentials

/// A condition as a program that is evaluated without recursion over its parts and without allocating.
///
/// It is a list of tests, each of which says where to go on when it is true and where when it is false. So `all`, `any` and
/// `not` cost nothing: they are only ways in which the tests are connected. Conditions on rows of other entities are parts of
/// the same list, with an entry of their own.
struct FilterCode: Sendable {
  /// Where a condition starts: a position in `steps`, or one of the two ends.
  typealias Entry = Int32

  static let isTrue: Entry = -1
  static let isFalse: Entry = -2

  struct Step: Sendable {
    var test: Test
    var whenTrue: Entry
    var whenFalse: Entry
  }

  /// One test of a row. Fields and positions are 32 bits wide so that a step is small; what is large lies beside the steps.
  enum Test: Sendable {
    case isNull(Int32)
    case bool(Int32, Comparison, Bool)
    case signed(Int32, Comparison, Int64)
    case unsigned(Int32, Comparison, UInt64)
    case floating(Int32, Comparison, Double)
    case date(Int32, Comparison, Date)
    /// A text compared with bytes in `constants`, which are composed.
    case text(Int32, Comparison, Constant)
    /// A value compared by its key with that in `constants`.
    case key(Int32, Comparison, Constant)
    /// A value that is one of `lists`.
    case isListed(Int32, list: Int32)
    /// A text matched with one of `patterns`.
    case matches(Int32, pattern: Int32)
    case isRow(RowNumber)
    /// A row in one of `rowLists`.
    case isListedRow(list: Int32)
    /// One of `hops`, `memberTests` and `valueTests`.
    case hop(Int32)
    case members(Int32)
    case values(Int32)
  }

  /// Bytes in `constants`.
  struct Constant: Sendable {
    var start: Int32
    var count: Int32
  }

  /// A condition on the row that a to-one relationship leads to.
  struct Hop: Sendable {
    var field: FieldIndex
    var entity: Entity
    var entry: Entry
  }

  /// How many members of a to-many direction meet a condition, compared with a number.
  struct MemberTest: Sendable {
    var members: Members
    var comparison: Comparison
    var count: Int64
  }

  struct Members: Sendable {
    var direction: LinkDirection
    var entity: Entity
    var entry: Entry
  }

  /// What is evaluated value by value.
  enum ValueTest: Sendable {
    case isNull(Value)
    case compare(Value, Comparison, Value)
    case oneOf(Value, [FieldValue])
    case text(Value, TextMatch, Value)
  }

  /// An operand made ready to be evaluated. Calculations carry their text for the errors that they can throw.
  indirect enum Value: Sendable {
    case constant(FieldValue)
    case field(FieldIndex)
    /// A field whose content may lie outside of the record.
    case content(FieldIndex, Entity)
    case hop(FieldIndex, Entity, Value)
    case memberCount(Members)
    case arithmetic(Value, Arithmetic, Value, text: String)
    case negated(Value, text: String)
    case length(Value, text: String)
    case coalesce(Value, Value)
    case conditional(Entry, Value, Value)
    case truth(Entry)
  }

  var steps: [Step] = []
  var constants: [UInt8] = []
  var lists: [ValueList] = []
  var patterns: [TextPattern] = []
  var rowLists: [[RowNumber]] = []
  var hops: [Hop] = []
  var memberTests: [MemberTest] = []
  var valueTests: [ValueTest] = []
}
