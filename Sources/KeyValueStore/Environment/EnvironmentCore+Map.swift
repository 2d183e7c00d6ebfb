import CLMDB
import Glibc

// The map is the part of the address space where LMDB shows the data file. It can be replaced only while this process has
// no transaction open.
extension EnvironmentCore {
  /// Doubles the map, for a transaction that did not fit. On the writer thread, with no transaction open.
  func growMap(for write: Write) throws(StoreError) {
    let refusal = StoreError.snapshotBlocksGrowth(path: directory)
    guard let writer, !write.callerHoldsSnapshot else { throw refusal }
    // Whoever waits for a write with a snapshot open would be waited for in turn.
    for held in writer.queue.removeSnapshotHolders(refusingMoreWith: refusal) { abandon(held, because: refusal) }
    defer { writer.queue.acceptSnapshotHolders() }
    try replaceMap { 2 * $0 }
  }

  /// Takes over the size that the writing process has given the map.
  func adoptMapSize() throws(StoreError) {
    // LMDB takes 0 for the size that is stored in the data file.
    try replaceMap { _ in 0 }
  }

  private func replaceMap(newSize: (Int) -> Int) throws(StoreError) {
    let isReplaced = try occupancy.withoutSnapshots { () throws(StoreError) in
      if isMapLost { throw .mustReopen(path: directory) }
      var info = MDB_envinfo()
      try engine.check(mdb_env_info(engine.handle, &info), "Reading the size of the map")
      let size = newSize(info.me_mapsize)
      // LMDB gives the old map up before it asks for the new one, and has none when that fails. So ask first.
      let refusal = AddressSpace.check(max(size, info.me_mapsize))
      if refusal != 0 { throw .system(operation: "Growing the map of", path: directory, errno: refusal) }
      let code = mdb_env_set_mapsize(engine.handle, size)
      isMapLost = code != MDB_SUCCESS
      try engine.check(code, "Growing the map to \(size) bytes")
    }
    if !isReplaced { throw .snapshotBlocksGrowth(path: directory) }
  }
}
