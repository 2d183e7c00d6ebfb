import Foundation

#if canImport(SwiftUI)
import SwiftUI
#endif

/// The rows of a query in sections, kept up to date, as a property of a screen: a wrapper for a `SyncSectionedQueryPublisher`, as
/// `SyncQuery` is one for a list.
@MainActor
@propertyWrapper
public struct SyncSectionedQuery<SectionID: Hashable, Model: PersistentModel> {
  #if canImport(SwiftUI)
  @State
  #endif
  private var reading = WrappedPublisher<SyncSectionedQueryPublisher<SectionID, Model>>()
  private let make: @MainActor () -> SyncSectionedQueryPublisher<SectionID, Model>
  private let form: ReadForm

  /// Divides the rows of a query by values that have no order, in its own order.
  @_disfavoredOverload
  public init(
    _ shape: SyncQueryShape<Model>, sectionBy: KeyPath<Model, SectionID>, in syncContainer: SyncContainer
  ) {
    make = { SyncSectionedQueryPublisher(shape, sectionBy: sectionBy, in: syncContainer) }
    form = ReadForm(shape, [sectionBy], in: syncContainer)
  }

  /// Divides the rows of a query by values that have an order.
  public init(
    _ shape: SyncQueryShape<Model>, sectionBy: KeyPath<Model, SectionID> & Sendable, order: SortOrder = .forward,
    in syncContainer: SyncContainer
  ) where SectionID: Comparable {
    make = { SyncSectionedQueryPublisher(shape, sectionBy: sectionBy, order: order, in: syncContainer) }
    form = ReadForm(shape, [sectionBy, order], in: syncContainer)
  }

  /// Divides the rows of a query by values that have an order, or are not there.
  public init<Value: Comparable>(
    _ shape: SyncQueryShape<Model>, sectionBy: KeyPath<Model, Value?> & Sendable, order: SortOrder = .forward,
    in syncContainer: SyncContainer
  ) where SectionID == Value? {
    make = { SyncSectionedQueryPublisher(shape, sectionBy: sectionBy, order: order, in: syncContainer) }
    form = ReadForm(shape, [sectionBy, order], in: syncContainer)
  }

  /// The sections, in order.
  public var wrappedValue: [SyncSection<SectionID, Model>] { reading.publisher(of: form, make: make).sections }
}

#if canImport(SwiftUI)
extension SyncSectionedQuery: DynamicProperty {}
#endif
