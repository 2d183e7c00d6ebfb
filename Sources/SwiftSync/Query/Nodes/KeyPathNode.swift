import Foundation
import Records

extension PredicateExpressions.KeyPath: PredicateNode {
  var operands: [any PredicateExpression] { [root] }
  var isSameForEveryRow: Bool { root.isConstant }

  func term(in compiler: PredicateCompiler) -> Term {
    compiler.term(of: root).map { value in
      switch value {
      case .object(let path): property(of: path, in: compiler)
      case .members(let path, let relationship, let condition):
        compiler.property(kind?.property, ofMembers: relationship, condition, path)
      case .operand(let operand, let isRaw): property(of: operand, isRaw)
      case .constant(let value): (value as? Root.Output).map { .constant($0[keyPath: keyPath]) } ?? .unknown
      case .none, .truth, .identifier, .unknown: .unknown
      }
    }
  }

  private func property(of path: RowPath, in compiler: PredicateCompiler) -> Term {
    if let property = path.destination.table.property(at: keyPath) { return compiler.property(property, of: path) }
    guard let type = Root.Output.self as? any PersistentModel.Type, type.isIdentifier(keyPath) else { return .unknown }
    return Term(.identifier(path))
  }

  private func property(of operand: Operand, _ isRaw: Bool) -> Term {
    if isRaw {
      let isRawValue = (Root.Output.self as? any (RawRepresentable & CaseIterable).Type)?.isRawValue(keyPath) == true
      return isRawValue ? Term(.operand(operand, isRaw: false)) : .unknown
    }
    let isText = Root.Output.self == String.self
    if isText && kind == .collectionCount || keyPath == \Data.count {
      return Term(.operand(.length(operand), isRaw: false))
    }
    if isText && kind == .collectionIsEmpty {
      return Term(.truth(.comparing(operand, .equal, .constant(.string("")))))
    }
    if keyPath == \Data.isEmpty { return Term(.truth(.comparing(operand, .equal, .constant(.data(Data()))))) }
    return .unknown
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Output> {
    if let variable = root as? PredicateExpressions.Variable<Root.Output>,
      let read: Evaluator<Output> = evaluation.attribute(keyPath, of: variable)
    {
      return read
    }
    let root = evaluation.evaluator(of: root)
    let keyPath = keyPath
    return { try root()[keyPath: keyPath] }
  }

  func text(in writer: ExpressionWriter) -> String {
    let name =
      switch kind {
      case .collectionCount: "count"
      case .collectionIsEmpty: "isEmpty"
      case .collectionFirst: "first"
      case .bidirectionalCollectionLast: "last"
      default: writer.property(keyPath, of: Root.Output.self)
      }
    return "\(writer.operand(root)).\(name)"
  }
}

extension PredicateExpressions.KeyPath.CommonKeyPathKind {
  fileprivate var property: CollectionProperty? {
    switch self {
    case .collectionCount: .count
    case .collectionIsEmpty: .isEmpty
    default: nil
    }
  }
}

extension PersistentModel {
  /// Whether a key path leads to the identifier of the model's objects.
  static func isIdentifier(_ keyPath: AnyKeyPath) -> Bool {
    keyPath == \Self.persistentModelID
  }
}

extension RawRepresentable where Self: CaseIterable {
  /// Whether a key path leads to the raw value.
  ///
  /// Key paths that were written in generic code are not equal to those of the concrete type, but an enum's cases can be tried
  /// one by one.
  fileprivate static func isRawValue(_ keyPath: AnyKeyPath) -> Bool {
    guard let keyPath = keyPath as? KeyPath<Self, RawValue>, let type = RawValue.self as? any Equatable.Type,
      !allCases.isEmpty
    else { return false }
    return allCases.allSatisfy { type.areEqual($0[keyPath: keyPath], $0.rawValue) }
  }
}

extension Equatable {
  fileprivate static func areEqual(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? Self, let right = right as? Self else { return false }
    return left == right
  }
}
