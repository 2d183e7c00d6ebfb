import Contexts
import Observation

/// Who follows the properties of one object. There is a registrar once somebody does.
final class ObjectObservers {
  private var registrar: ObservationRegistrar?

  /// Notes that a property is read, for whoever follows what runs now.
  func noteAccess(_ property: EntityBinding.Property, of object: ManagedObject) {
    guard let context = object.managedObjectContext, context.isFollowed else { return }
    let registrar = registrar ?? ObservationRegistrar()
    self.registrar = registrar
    registrar.access(object, keyPath: \ManagedObject.[followed: property])
  }

  /// Changes a property, and tells those who follow it.
  func changing(_ property: EntityBinding.Property, of object: ManagedObject, _ change: () -> Void) {
    guard let registrar else { return change() }
    registrar.withMutation(of: object, keyPath: \ManagedObject.[followed: property], change)
  }

  /// Tells those who follow a property that it has changed by other means.
  func announce(_ property: EntityBinding.Property, of object: ManagedObject) {
    changing(property, of: object) {}
  }
}

extension ManagedObject: Observable {
  /// Stands for a property in Observation, which knows properties by key paths.
  fileprivate final subscript(followed property: EntityBinding.Property) -> Void { () }
}
