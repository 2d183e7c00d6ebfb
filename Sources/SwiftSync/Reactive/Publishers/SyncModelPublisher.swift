import Observation
import Records

/// How the row of a publisher stands to what the store has.
public enum SyncRowCondition: Equatable, Sendable {
  /// There is no such row, and none was seen.
  case absent
  /// The row is there.
  case current
  /// The row was there and is deleted.
  case gone
  /// The row is there, and others have stored other values of some properties while it had unsaved edits here. The object shows the
  /// edits, and what was stored when they began. A save stores the edited properties over what the others have stored.
  case changedUnderneath(properties: Set<String>)
  /// The row was deleted by others while it had unsaved edits here, which are lost.
  case deletedUnderneath
}

/// The row with a sync identity, kept up to date: a detail screen's.
///
/// `row` is nil while there is no such row; it may come and go. What `SyncQueryPublisher` says about consistency and delivery holds
/// here too. A screen that edits the row in place observes `condition` as well.
@MainActor
@Observable
public final class SyncModelPublisher<Model: PersistentModel & SyncModelable> {
  @ObservationIgnored private let reading: MainReading<Model>
  @ObservationIgnored private var wasThere = false

  /// Reads the row with an identity from a container's main context. `refreshOn` names relationships behind those of the row itself
  /// whose objects are shown too.
  public init(
    _ model: Model.Type, id: Model.SyncID, in syncContainer: SyncContainer, refreshOn: [PartialKeyPath<Model>] = []
  ) {
    reading = MainReading(SyncQueryShape(model, id: id, refreshOn: refreshOn), in: syncContainer, watchesEdits: true)
    wasThere = !reading.rows.isEmpty
    reading.query?.onChange = { [weak self] in self?.announce() }
  }

  /// The object; nil if there is none.
  ///
  /// Observers are told when there is another one, and when it, or an object that it is related to, has other values.
  public var row: Model? {
    access(keyPath: \.row)
    return reading.rows.first
  }

  /// How the row stands to what the store has. What happened underneath unsaved edits is forgotten when they are saved or rolled
  /// back, and by `acknowledge()`.
  public var condition: SyncRowCondition {
    access(keyPath: \.row)
    if let conflict = reading.query?.conflict {
      return conflict.isDeletion ? .deletedUnderneath : .changedUnderneath(properties: names(of: conflict.properties))
    }
    if !reading.rows.isEmpty { return .current }
    return wasThere ? .gone : .absent
  }

  /// Forgets what happened underneath unsaved edits.
  public func acknowledge() {
    guard let query = reading.query, query.conflict != nil else { return }
    query.conflict = nil
    announce()
  }

  /// Why the last fetch has failed; nil if it has not. The next commit, or `reload()`, tries again.
  public var failure: (any Error)? {
    access(keyPath: \.row)
    return reading.failure
  }

  /// The values one after the other, the present one first. It ends with the publisher.
  public var snapshots: SyncSnapshots<Model> { reading.snapshots }

  /// How often the publisher was asked whether a change concerns it, and what came of it.
  public var activity: SyncReadActivity { reading.activity }

  /// Fetches again. Observers are told, whether something has changed or not.
  public func reload() { reading.reload() }

  private func announce() {
    if !reading.rows.isEmpty { wasThere = true }
    withMutation(keyPath: \.row) {}
  }

  private func names(of properties: PropertySet) -> Set<String> {
    guard let entity = reading.query?.interest.entity else { return [] }
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    return Set(properties.members.filter { names.indices.contains($0) }.map { names[$0] })
  }
}
