import Records

/// The objects of a context by row, so that a row has one object. Keeps none of them alive.
///
/// A hash table with linear probing. Entries of objects that are gone stay until the table is half full.
///
/// Belongs to the actor of its context, as the objects do; but their last references may be dropped on any thread.
final class IdentityMap {
  private struct Entry {
    /// Zero in a free place: no row has that number.
    var row: UInt64 = 0
    var entity: UInt32 = 0
    var object = ObjectReference()
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity: Int
  /// How many places are taken.
  private var count = 0

  private static let capacityMin = 256

  init() {
    capacity = Self.capacityMin
    entries = Self.places(capacity)
  }

  deinit {
    entries.deinitialize(count: capacity)
    entries.deallocate()
  }

  private static func places(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
    let places = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    places.initialize(repeating: Entry(), count: capacity)
    return places
  }

  /// The object of a row, if it is there.
  subscript(row: RowNumber, entity: EntityID) -> (any PersistentModel)? {
    entries[place(of: row.rawValue, entity.rawValue)].object.model
  }

  /// Enters the object of a row.
  func insert(_ model: any PersistentModel, _ row: RowNumber, _ entity: EntityID) {
    let place = place(of: row.rawValue, entity.rawValue)
    if entries[place].row == 0 {
      entries[place].row = row.rawValue
      entries[place].entity = entity.rawValue
      count += 1
    }
    entries[place].object = ObjectReference(to: model)
    if count > capacity / 2 { sweep() }
  }

  /// Forgets the object of a row.
  func remove(_ row: RowNumber, _ entity: EntityID) {
    // The place stays taken, since what is behind it is looked for through it.
    entries[place(of: row.rawValue, entity.rawValue)].object = ObjectReference()
  }

  /// How many objects there may be: some of them may be gone.
  var countMax: Int { count }

  /// The objects that are there, with their rows.
  var objects: [(entity: EntityID, row: RowNumber, model: any PersistentModel)] {
    (0..<capacity).compactMap { place in
      entries[place].object.model.map {
        (EntityID(rawValue: entries[place].entity), RowNumber(rawValue: entries[place].row), $0)
      }
    }
  }

  /// Where a row's entry is, or would be. There is always a free place.
  private func place(of row: UInt64, _ entity: UInt32) -> Int {
    // Multiplying by an odd number spreads the few low bits of rows and entities over the upper half, which is what counts.
    let hash = (row ^ UInt64(entity) << 32) &* 0x9E37_79B9_7F4A_7C15
    var place = Int(truncatingIfNeeded: hash >> 32) & (capacity - 1)
    while entries[place].row != 0, entries[place].row != row || entries[place].entity != entity {
      place = (place + 1) & (capacity - 1)
    }
    return place
  }

  /// Drops the entries of objects that are gone, and makes room for twice as many as are left.
  private func sweep() {
    let (old, oldCapacity) = (entries, capacity)
    let alive = (0..<oldCapacity).filter { old[$0].object.isAlive }
    capacity = Self.capacityMin
    while capacity < alive.count * 4 { capacity *= 2 }
    entries = Self.places(capacity)
    count = alive.count
    for index in alive { entries[place(of: old[index].row, old[index].entity)] = old[index] }
    old.deinitialize(count: oldCapacity)
    old.deallocate()
  }
}
