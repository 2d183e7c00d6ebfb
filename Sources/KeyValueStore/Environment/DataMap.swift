import CLMDB

/// The part of the address space in which LMDB shows the data file. It can be replaced only while this process reads no
/// snapshot and has no write transaction open. Pins don't matter: they are never read from.
///
/// Unchecked `Sendable`: `isLost` is set while no snapshot is open and no new one gets in (`Occupancy.withoutSnapshots`).
final class DataMap: @unchecked Sendable {
  private let engine: Engine
  private let occupancy: Occupancy
  /// Whether LMDB has no map any more, because the system refused it a new one.
  private(set) var isLost = false

  init(_ engine: Engine, _ occupancy: Occupancy) {
    self.engine = engine
    self.occupancy = occupancy
  }

  /// Doubles the map, and returns its new size.
  func grow() throws(StoreError) -> Int {
    try replace { 2 * $0 }
  }

  /// Takes over the size that the writing process has given the map.
  func adoptSize() throws(StoreError) {
    // LMDB takes 0 for the size that is stored in the data file.
    _ = try replace { _ in 0 }
  }

  private func replace(newSize: (Int) -> Int) throws(StoreError) -> Int {
    var size = 0
    let isReplaced = try occupancy.withoutSnapshots { () throws(StoreError) in
      if isLost { throw .mustReopen(path: engine.path, cause: .mapLost) }
      var info = MDB_envinfo()
      try engine.check(mdb_env_info(engine.handle, &info), "Reading the size of the map")
      size = newSize(info.me_mapsize)
      // LMDB gives the old map up before it asks for the new one, and has none when that fails. So ask first.
      let refusal = AddressSpace.check(max(size, info.me_mapsize))
      if refusal != 0 { throw .system(operation: "Growing the map of", path: engine.path, errno: refusal) }
      let code = mdb_env_set_mapsize(engine.handle, size)
      isLost = code != MDB_SUCCESS
      try engine.check(code, "Growing the map to \(size) bytes")
    }
    if !isReplaced { throw .snapshotBlocksGrowth(path: engine.path) }
    return size
  }
}
