import Foundation

/// The order of a fetch, for objects: that of `array.sort(using:)`, in which NaN has a place, and objects that agree are in the
/// order of their rows. So it is the order in which the store sorts rows.
struct ObjectOrder<Model: PersistentModel> {
  private let terms: [(Model, Model) -> ComparisonResult]

  init(_ descriptors: [SortDescriptor<Model>]) {
    terms = descriptors.map(Self.term)
  }

  /// Sorts objects. New ones, which have no rows, come behind those that they agree with, in the order in which they are.
  func sort(_ models: inout [Model]) {
    models.sort { left, right in
      for term in terms {
        switch term(left, right) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      guard let row = left._$backing.storedRow else { return false }
      return right._$backing.storedRow.map { row < $0 } ?? true
    }
  }

  /// `SortDescriptor` finds NaN equal to everything, which is no order: sorting would leave the numbers anywhere.
  private static func term(_ descriptor: SortDescriptor<Model>) -> (Model, Model) -> ComparisonResult {
    guard let keyPath = descriptor.keyPath, type(of: keyPath).valueType is any PossiblyNaN.Type else {
      return descriptor.compare
    }
    let isForward = descriptor.order == .forward
    return { left, right in
      let isLeftNaN = (left[keyPath: keyPath] as? any PossiblyNaN)?.isNaN == true
      let isRightNaN = (right[keyPath: keyPath] as? any PossiblyNaN)?.isNaN == true
      if isLeftNaN && isRightNaN { return .orderedSame }
      if isLeftNaN || isRightNaN { return isLeftNaN == isForward ? .orderedDescending : .orderedAscending }
      return descriptor.compare(left, right)
    }
  }
}

/// A value that may be NaN: comparable, and yet in no order.
private protocol PossiblyNaN {
  var isNaN: Bool { get }
}

extension Double: PossiblyNaN {}
extension Float: PossiblyNaN {}
extension CGFloat: PossiblyNaN {}

extension Date: PossiblyNaN {
  fileprivate var isNaN: Bool { timeIntervalSinceReferenceDate.isNaN }
}

extension Optional: PossiblyNaN where Wrapped: PossiblyNaN {
  fileprivate var isNaN: Bool { self?.isNaN == true }
}
