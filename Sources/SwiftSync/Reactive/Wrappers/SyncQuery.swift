#if canImport(SwiftUI)
import SwiftUI
#endif

/// The rows of a query, kept up to date, as a property of a screen.
///
/// ```swift
/// @SyncQuery(Task.self, relationship: \.project, relationshipID: projectID, in: container, sortBy: [SortDescriptor(\.title)])
/// var tasks: [Task]
/// ```
///
/// It has the forms of `SyncQueryPublisher`, and makes one when it is first read. In SwiftUI that lives as long as the view, and is
/// replaced when the view asks for other rows.
@MainActor
@propertyWrapper
public struct SyncQuery<Model: PersistentModel>: SyncQueryShaped {
  #if canImport(SwiftUI)
  @State
  #endif
  private var reading = WrappedPublisher<SyncQueryPublisher<Model>>()
  private let shape: SyncQueryShape<Model>
  private let container: SyncContainer
  private let form: ReadForm

  /// Reads the rows of a query from a container's main context.
  public init(_ shape: SyncQueryShape<Model>, in syncContainer: SyncContainer) {
    self.shape = shape
    container = syncContainer
    form = ReadForm(shape, in: syncContainer)
  }

  /// The objects, in order.
  public var wrappedValue: [Model] {
    reading.publisher(of: form) { SyncQueryPublisher(shape, in: container) }.rows
  }
}

#if canImport(SwiftUI)
extension SyncQuery: DynamicProperty {}
#endif
