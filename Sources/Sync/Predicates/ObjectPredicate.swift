/// What is asked of objects: a tree of comparisons, made in Swift or read from a text.
///
/// ```swift
/// Key("age") >= 18 && Key("notes.text").any.contains("x", .caseInsensitive)
/// try ObjectPredicate(format: "age >= %d AND ANY notes.text CONTAINS[c] %@", 18, "x")
/// ```
///
/// A predicate names properties, and knows nothing of an entity until it is used.
public indirect enum ObjectPredicate: Sendable, Hashable {
  /// True of every object, or of none.
  case constant(Bool)
  /// Two values compare so.
  case comparison(Comparison)
  /// Every one of these is true.
  case and([ObjectPredicate])
  /// At least one of these is true.
  case or([ObjectPredicate])
  /// It is not true.
  case not(ObjectPredicate)

  /// Two values, and how they are compared.
  public struct Comparison: Sendable, Hashable {
    /// The value in front of the operator.
    public var left: ObjectExpression
    /// How the values are compared.
    public var operation: Operation
    /// The value behind the operator.
    public var right: ObjectExpression
    /// Of how many of the left values it has to be true, where a to-many relationship leads to them.
    public var modifier: Modifier
    /// Which differences between texts don't count.
    public var options: Options

    /// Compares two values.
    public init(
      _ left: ObjectExpression, _ operation: Operation, _ right: ObjectExpression, modifier: Modifier = .direct,
      options: Options = []
    ) {
      self.left = left
      self.operation = operation
      self.right = right
      self.modifier = modifier
      self.options = options
    }
  }

  /// How two values are compared. The raw value is the operator in the format.
  public enum Operation: String, Sendable, Hashable, CaseIterable {
    /// They are equal. Nil equals nil and nothing else.
    case equal = "=="
    /// They are not equal.
    case notEqual = "!="
    /// The left one is less.
    case less = "<"
    /// The left one is less, or they are equal.
    case lessOrEqual = "<="
    /// The left one is greater.
    case greater = ">"
    /// The left one is greater, or they are equal.
    case greaterOrEqual = ">="
    /// The left text begins with the right one.
    case beginsWith = "BEGINSWITH"
    /// The left text ends with the right one.
    case endsWith = "ENDSWITH"
    /// The left text contains the right one, or the left members contain the right object or value.
    case contains = "CONTAINS"
    /// The left text has the form of the right one, in which `*` stands for any text.
    case like = "LIKE"
    /// The left value is one of the right ones.
    case isIn = "IN"
    /// The left value is neither less than the first nor greater than the second of the right ones.
    case between = "BETWEEN"
  }

  /// Of how many values a comparison has to be true.
  public enum Modifier: String, Sendable, Hashable, CaseIterable {
    /// Of the only one.
    case direct = ""
    /// Of at least one.
    case any = "ANY"
    /// Of all; also when there are none.
    case all = "ALL"
  }

  /// Which differences between texts don't count.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Upper and lower case are the same: `[c]`.
    public static let caseInsensitive = Options(rawValue: 1)
    /// Letters with and without diacritics are the same: `[d]`. The store can leave them out of account only together with case.
    public static let diacriticInsensitive = Options(rawValue: 2)
  }
}

/// A value that a predicate compares.
public indirect enum ObjectExpression: Sendable, Hashable {
  /// No value.
  case null
  /// A constant.
  case value(AttributeValue)
  /// An object.
  case object(ManagedObjectID)
  /// Several values, for `IN` and `BETWEEN`.
  case list([ObjectExpression])
  /// The object that is asked.
  case selfObject
  /// The value of a property, or at the end of relationships: `company.name`.
  case keyPath(String)
  /// What an operator makes of all values that a to-many relationship leads to: `notes.@count`, `notes.@max.size`.
  case collection(path: String, operation: CollectionOperation, member: String?)
  /// How many members of a to-many relationship a predicate is true of.
  case count(path: String, of: ObjectPredicate)
  /// Two numbers combined.
  case arithmetic(ObjectExpression, ArithmeticOperation, ObjectExpression)
  /// A number with the opposite sign.
  case negated(ObjectExpression)

  /// What is made of many values.
  public enum CollectionOperation: String, Sendable, Hashable, CaseIterable {
    /// How many members there are.
    case count
    /// The least value. It can be compared with constants.
    case min
    /// The greatest value. It can be compared with constants.
    case max
  }

  /// How two numbers are combined.
  public enum ArithmeticOperation: String, Sendable, Hashable, CaseIterable {
    /// The sum.
    case add = "+"
    /// The difference.
    case subtract = "-"
    /// The product.
    case multiply = "*"
    /// The quotient. Of whole numbers it is the whole part.
    case divide = "/"
  }
}
