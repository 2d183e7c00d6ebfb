import Foundation

/// What a predicate can compare a property with.
public protocol PredicateArgument {
  /// The value in a predicate.
  var predicateExpression: ObjectExpression { get }
}

extension ObjectExpression {
  /// The value of an argument of a format; nil for what no predicate can compare anything with.
  init?(argument: Any?) {
    guard let argument, !(argument is NSNull) else {
      self = .null
      return
    }
    switch argument {
    case let argument as any PredicateArgument: self = argument.predicateExpression
    case let argument as [Any?]: self.init(elements: argument)
    case let argument as Set<AnyHashable>: self.init(elements: argument.map { $0.base })
    case let argument as NSArray: self.init(elements: argument.map { $0 })
    default:
      guard let value = AttributeValue(argument) else { return nil }
      self = .value(value)
    }
  }

  private init?(elements: [Any?]) {
    var list: [ObjectExpression] = []
    for element in elements {
      guard let expression = ObjectExpression(argument: element) else { return nil }
      list.append(expression)
    }
    self = .list(list)
  }
}

extension AttributeValue: PredicateArgument {
  /// The value as a constant.
  public var predicateExpression: ObjectExpression { .value(self) }
}

extension ManagedObjectID: PredicateArgument {
  /// The object.
  public var predicateExpression: ObjectExpression { .object(self) }
}

extension ObjectExpression: PredicateArgument {
  /// The expression itself.
  public var predicateExpression: ObjectExpression { self }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  /// The value, or `null`.
  public var predicateExpression: ObjectExpression { map(\.predicateExpression) ?? .null }
}

extension Array: PredicateArgument where Element: PredicateArgument {
  /// The elements as a list.
  public var predicateExpression: ObjectExpression { .list(map(\.predicateExpression)) }
}

extension Bool: PredicateArgument {
  /// The value as a constant.
  public var predicateExpression: ObjectExpression { .value(.boolean(self)) }
}

extension PredicateArgument where Self: BinaryInteger {
  /// The number as a constant.
  public var predicateExpression: ObjectExpression {
    .value(Int64(exactly: self).map { .integer($0) } ?? .decimal(Decimal(string: description) ?? 0))
  }
}

extension Int: PredicateArgument {}
extension Int16: PredicateArgument {}
extension Int32: PredicateArgument {}
extension Int64: PredicateArgument {}

extension Double: PredicateArgument {
  /// The number as a constant.
  public var predicateExpression: ObjectExpression { .value(.double(self)) }
}

extension Float: PredicateArgument {
  /// The number as a constant.
  public var predicateExpression: ObjectExpression { .value(.double(Double(self))) }
}

extension Decimal: PredicateArgument {
  /// The number as a constant.
  public var predicateExpression: ObjectExpression { .value(.decimal(self)) }
}

extension String: PredicateArgument {
  /// The text as a constant.
  public var predicateExpression: ObjectExpression { .value(.string(self)) }
}

extension Date: PredicateArgument {
  /// The moment as a constant.
  public var predicateExpression: ObjectExpression { .value(.date(self)) }
}

extension UUID: PredicateArgument {
  /// The identifier as a constant.
  public var predicateExpression: ObjectExpression { .value(.uuid(self)) }
}

extension URL: PredicateArgument {
  /// The address as a constant.
  public var predicateExpression: ObjectExpression { .value(.url(absoluteString)) }
}

extension Data: PredicateArgument {
  /// The bytes as a constant.
  public var predicateExpression: ObjectExpression { .value(.data(self)) }
}
