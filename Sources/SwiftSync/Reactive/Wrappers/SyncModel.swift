#if canImport(SwiftUI)
import SwiftUI
#endif

/// The row with a sync identity, kept up to date, as a property of a screen: a wrapper for a `SyncModelPublisher`, as `SyncQuery` is
/// one for a list.
@MainActor
@propertyWrapper
public struct SyncModel<Model: PersistentModel & SyncModelable> {
  #if canImport(SwiftUI)
  @State
  #endif
  private var reading = WrappedPublisher<SyncModelPublisher<Model>>()
  private let make: @MainActor () -> SyncModelPublisher<Model>
  private let form: ReadForm

  /// Reads the row with an identity from a container's main context. `refreshOn` names relationships behind those of the row itself
  /// whose objects are shown too.
  public init(
    _ model: Model.Type, id: Model.SyncID, in syncContainer: SyncContainer, refreshOn: [PartialKeyPath<Model>] = []
  ) {
    make = { SyncModelPublisher(model, id: id, in: syncContainer, refreshOn: refreshOn) }
    form = ReadForm(SyncQueryShape(model, id: id, refreshOn: refreshOn), in: syncContainer)
  }

  /// The object; nil if there is none.
  public var wrappedValue: Model? { reading.publisher(of: form, make: make).row }
}

#if canImport(SwiftUI)
extension SyncModel: DynamicProperty {}
#endif
