import FoundationEssentials
import Glibc
import KeyValueStore
import Records

/// What `swiftsync info` says of a store: numbers that are kept, so that asking for them takes no time however large the
/// store is. Only rows with unanswered local edits are counted.
struct StoreInfo {
  struct File {
    let name: String
    let byteCount: Int
  }

  /// An index or a to-many direction of a link.
  struct Table {
    let name: String
    let entryCount: Int
    let byteCount: Int
  }

  struct EntityInfo {
    let entity: Entity
    let rowCount: Int
    let byteCount: Int
    /// Rows with local edits that no server has answered for, and those of them that wait in the inbox; nil for an entity of which
    /// they are not kept.
    let unanswered: (rowCount: Int, parkedCount: Int)?
    let indexes: [Table]
    let links: [Table]
  }

  let path: String
  let identifier: String
  let storeFormat: Int
  let recordFormat: Int
  let files: [File]
  let pages: EnvironmentStatistics
  let entities: [EntityInfo]
  let schema: StoreSchema

  init(store: RecordStore, snapshot: RecordSnapshot) throws {
    let environment = store.environment
    let pages = try environment.statistics()
    path = environment.directory
    identifier = environment.identifier.description
    storeFormat = environment.format
    recordFormat = try Int(snapshot.format())
    files = try StoreInfo.files(in: environment.directory)
    schema = snapshot.catalog.schema.withInverses()
    self.pages = pages
    entities = try snapshot.catalog.entities.map { entity in
      let statistics = try snapshot.statistics(of: entity)
      return EntityInfo(
        entity: entity,
        rowCount: statistics.records.entries,
        byteCount: statistics.records.pageCount * pages.pageBytes,
        unanswered: try snapshot.unanswered(of: entity),
        indexes: zip(entity.indexes, statistics.indexes).map { index, statistics in
          Table(statistics, name: index.attributes.map(\.name).joined(separator: ", "), pageBytes: pages.pageBytes)
        },
        links: statistics.links.map { Table($0.statistics, name: $0.name, pageBytes: pages.pageBytes) })
    }
  }

  /// What lies in the folder at this moment, by name.
  private static func files(in directory: String) throws -> [File] {
    let names: [String]
    do { names = try SystemFiles().names(in: directory) } catch { throw StoreError(error) }
    return names.sorted { $0.isBefore($1) }.compactMap { name in
      var status = stat()
      // A file may be gone again: a running application has temporary ones.
      guard stat("\(directory)/\(name)", &status) == 0 else { return nil }
      return File(name: name, byteCount: Int(status.st_size))
    }
  }
}

extension RecordSnapshot {
  fileprivate func unanswered(of entity: Entity) throws -> (rowCount: Int, parkedCount: Int)? {
    guard entity.isOfflineEnabled else { return nil }
    var count = (rowCount: 0, parkedCount: 0)
    try forEachPushEntry(of: entity) { entry in
      count.rowCount += 1
      if entry.isParked { count.parkedCount += 1 }
      return .continue
    }
    return count
  }
}

extension StoreInfo.Table {
  init(_ statistics: TableStatistics, name: String, pageBytes: Int) {
    self.init(name: name, entryCount: statistics.entries, byteCount: statistics.pageCount * pageBytes)
  }
}

extension TableStatistics {
  /// All pages of the table.
  var pageCount: Int { branchPages + leafPages + overflowPages }
}
