// What the property wrappers use of SwiftUI, so that their form there can be checked where SwiftUI is not: the declarations are as
// its interface has them, and do nothing.

/// A part of a screen.
@MainActor @preconcurrency public protocol View {
  /// What it is made of.
  associatedtype Body: View
  /// What it is made of.
  @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  /// There is none.
  public var body: Never { fatalError("a stand-in") }
}

/// A text.
public struct Text: View {
  /// Shows a text.
  public init<S: StringProtocol>(_ content: S) {}
  /// It draws itself.
  public var body: Never { fatalError("a stand-in") }
}

/// A property of a view that changes by itself.
public protocol DynamicProperty {
  /// Called before the view is drawn.
  mutating func update()
}

extension DynamicProperty {
  /// Does nothing.
  public mutating func update() {}
}

/// A value that lives as long as its view.
@frozen @propertyWrapper public struct State<Value>: DynamicProperty {
  /// The value.
  public var wrappedValue: Value

  /// Begins with a value.
  public init(wrappedValue value: Value) { wrappedValue = value }
}
