import Observation

/// Finds out whether the code that runs is inside of `withObservationTracking`, which Observation does not tell.
///
/// An access that nobody follows leaves no trace, and one that somebody does is put into a set of key paths, so that its key path
/// is hashed. The probe reports an access to a property of its own, by a key path with a component that notices being hashed. The
/// tracking then has one property more that never changes.
///
/// It serves objects of one graph, and is used on their actor only.
package final class ObserverProbe: Observable {
  /// Notices being hashed.
  private struct Trap: Hashable {
    let sprung: Flag

    func hash(into hasher: inout Hasher) { sprung.isSet = true }
    static func == (left: Trap, right: Trap) -> Bool { left.sprung === right.sprung }
  }

  private final class Flag {
    var isSet = false
  }

  private let registrar = ObservationRegistrar()
  private let flag = Flag()
  private let property: KeyPath<ObserverProbe, Void>

  private subscript(trap trap: Trap) -> Void { () }

  package init() {
    property = \ObserverProbe[trap: Trap(sprung: flag)]
  }

  /// Whether somebody follows what is read now.
  package var areFollowing: Bool {
    flag.isSet = false
    registrar.access(self, keyPath: property)
    return flag.isSet
  }
}
