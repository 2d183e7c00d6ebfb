import Foundation
import Observation

/// The rows of a query in sections, kept up to date. What it says about rows is what `SyncQueryPublisher` says.
///
/// Rows with the same value at a key path are a section. If the values have an order, it comes before that of the shape; sections
/// come in the order of their first rows. A row changes its section when the change of its value is saved or synced.
@MainActor
@Observable
public final class SyncSectionedQueryPublisher<SectionID: Hashable, Model: PersistentModel> {
  @ObservationIgnored private let publisher: SyncQueryPublisher<Model>
  @ObservationIgnored private let sectionBy: KeyPath<Model, SectionID>
  /// The sections of the version that they were last made of.
  @ObservationIgnored private var made: (version: Int, sections: [SyncSection<SectionID, Model>])?

  /// Divides the rows of a query by values that have no order, in its own order.
  @_disfavoredOverload
  public convenience init(
    _ shape: SyncQueryShape<Model>, sectionBy: KeyPath<Model, SectionID>, in syncContainer: SyncContainer
  ) {
    self.init(dividing: shape, by: sectionBy, in: syncContainer)
  }

  /// Divides the rows of a query by values that have an order.
  public convenience init(
    _ shape: SyncQueryShape<Model>, sectionBy: KeyPath<Model, SectionID> & Sendable, order: SortOrder = .forward,
    in syncContainer: SyncContainer
  ) where SectionID: Comparable {
    self.init(
      dividing: shape.sorted(first: SortDescriptor(sectionBy, order: order)), by: sectionBy, in: syncContainer)
  }

  /// Divides the rows of a query by values that have an order, or are not there.
  public convenience init<Value: Comparable>(
    _ shape: SyncQueryShape<Model>, sectionBy: KeyPath<Model, Value?> & Sendable, order: SortOrder = .forward,
    in syncContainer: SyncContainer
  ) where SectionID == Value? {
    self.init(
      dividing: shape.sorted(first: SortDescriptor(sectionBy, order: order)), by: sectionBy, in: syncContainer)
  }

  private init(
    dividing shape: SyncQueryShape<Model>, by sectionBy: KeyPath<Model, SectionID>, in syncContainer: SyncContainer
  ) {
    publisher = SyncQueryPublisher(shape, in: syncContainer)
    self.sectionBy = sectionBy
  }

  /// The sections, in order. They are made when they are asked for, once for each value of the rows.
  public var sections: [SyncSection<SectionID, Model>] {
    let version = publisher.version
    if let made, made.version == version { return made.sections }
    let sections = SyncSection.sections(of: publisher.rows, by: sectionBy)
    made = (version, sections)
    return sections
  }

  /// The objects of all sections, in order.
  public var rows: [Model] { publisher.rows }
  /// Why the last fetch has failed; nil if it has not.
  public var failure: (any Error)? { publisher.failure }
  /// How often the publisher was asked whether a change concerns it, and what came of it.
  public var activity: SyncReadActivity { publisher.activity }

  /// Fetches again. Observers are told, whether something has changed or not.
  public func reload() { publisher.reload() }
}

extension SyncQueryShape {
  fileprivate func sorted(first descriptor: SortDescriptor<Model>) -> SyncQueryShape {
    var result = self
    result.sortBy.insert(descriptor, at: 0)
    return result
  }
}
