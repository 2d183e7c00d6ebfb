import Foundation

/// Writes expressions as messages show them: much like the source that they were made from.
final class ExpressionWriter {
  /// A text that is longer is not read in a message.
  static let constantLengthMax = 40
  /// A date that is farther away (or NaN) has no text of its own: Foundation traps instead of writing some of these.
  private static let dateSecondsMax = 1e11

  private var names: [PredicateExpressions.VariableID: String] = [:]
  private var elementCount = 0
  private let constantLengthMax: Int

  init(constantLengthMax: Int = ExpressionWriter.constantLengthMax) {
    self.constantLengthMax = constantLengthMax
  }

  func text(of expression: some PredicateExpression) -> String {
    guard let node = expression as? any PredicateNode else { return "\(type(of: expression))" }
    return node.text(in: self)
  }

  /// The expression in parentheses if it is made with an operator.
  func operand(_ expression: some PredicateExpression) -> String {
    let text = text(of: expression)
    return text.contains(" ") && !text.hasSuffix(")") && !text.hasPrefix("\"") ? "(\(text))" : text
  }

  /// What a variable is called.
  func name(of variable: PredicateExpressions.VariableID) -> String {
    names[variable] ?? "$0"
  }

  /// Calls a variable by the expression that it stands for.
  func call(_ variable: PredicateExpressions.VariableID, _ name: String) {
    names[variable] = name
  }

  /// Gives the variable of a closure over elements a name of its own.
  func nameElement(_ variable: PredicateExpressions.VariableID) {
    guard names[variable] == nil else { return }
    elementCount += 1
    names[variable] = "$\(elementCount)"
  }

  /// The expression of a closure over elements.
  func closure(_ expression: some PredicateExpression, of variable: PredicateExpressions.VariableID) -> String {
    nameElement(variable)
    return text(of: expression)
  }

  /// A constant, cut short if it is long.
  func constant(_ value: Any) -> String {
    let content = (value as? any AnyOptional).map { $0.wrapped ?? "nil" as Any } ?? value
    if let date = content as? Date, !(abs(date.timeIntervalSinceReferenceDate) < Self.dateSecondsMax) {
      return "Date(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
    }
    let isText = content is String && (value as? any AnyOptional)?.isNil != true
    let text = isText ? "\"\(content)\"" : "\(content)"
    return text.count > constantLengthMax ? "\(text.prefix(constantLengthMax))…" : text
  }

  /// The name of what a key path leads to from a value of a type.
  func property(_ keyPath: AnyKeyPath, of type: Any.Type) -> String {
    if let model = type as? any PersistentModel.Type, let property = model.modelTable.property(at: keyPath) {
      return property.name
    }
    // Of a computed property the description says where its code is, and what type it has.
    let text = "\(keyPath)".replacing(/<computed 0x[0-9a-f]+ \((.*?)\)>/) { "<\($0.1)>" }
    return text.firstIndex(of: ".").map { String(text[text.index(after: $0)...]) } ?? text
  }
}
