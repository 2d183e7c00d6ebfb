/// A property of a class that an application has for an entity: the model's property of the same or another name.
///
/// ```swift
/// final class Note: ManagedObject {
///   @Managed("text") var text: String?
///   @Managed("size", default: 0) var size: Int
///   @Managed("author") var author: User?
///   @Managed("tags") var tags: [Tag]
/// }
/// let stack = DataStack(modelName: "Shop", classes: ["Note": Note.self])
/// ```
///
/// Reading a value that is of another type gives the default, and the context's next save or fetch throws why.
@propertyWrapper
public struct Managed<Value> {
  private let name: String
  private let defaultValue: Value

  /// A property that is `defaultValue` where the object has no value.
  public init(_ name: String, default defaultValue: Value) {
    self.name = name
    self.defaultValue = defaultValue
  }

  /// A property that is nil where the object has no value.
  public init(_ name: String) where Value: ExpressibleByNilLiteral {
    self.init(name, default: nil)
  }

  /// A to-many relationship.
  public init<Member: ManagedObject>(_ name: String) where Value == [Member] {
    self.init(name, default: [])
  }

  /// Reads and writes the property of the object that the wrapper is in.
  public static subscript<Object: ManagedObject>(
    _enclosingInstance object: Object, wrapped keyPath: ReferenceWritableKeyPath<Object, Value>,
    storage storagePath: ReferenceWritableKeyPath<Object, Managed>
  ) -> Value {
    get {
      let property = object[keyPath: storagePath]
      return object.reportingErrors { try object.value(property.name, as: Value.self) }.flatMap { $0 }
        ?? property.defaultValue
    }
    set {
      object[object[keyPath: storagePath].name] = newValue
    }
  }

  /// There is none outside of a managed object.
  @available(*, unavailable, message: "A managed property is one of a class that inherits from ManagedObject.")
  public var wrappedValue: Value {
    get { defaultValue }
    // swift-format-ignore
    set { _ = newValue }
  }
}
