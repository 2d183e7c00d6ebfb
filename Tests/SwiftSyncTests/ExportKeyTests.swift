import Foundation
import SwiftSync
import Testing

/// Under which keys an export writes, and in which form.
@Suite("3.7, 11.1, 11.3: Keys and values of an export, by annotation and by type")
struct ExportKeyTests {
  enum Keyed {
    @Syncable @Model final class Plain {
      var id = 1
      init() {}
    }
    @Syncable @Model final class RemoteNamed {
      var remoteID = 1
      init() {}
    }
    @Syncable @Model final class Marked {
      @PrimaryKey var xid = 1
      init() {}
    }
    @Syncable @Model final class MarkedWithKey {
      @PrimaryKey(remote: "external_id") var xid = 1
      init() {}
    }
    @Syncable @Model final class WithRemoteKey {
      @RemoteKey("uuid") var id = 1
      init() {}
    }
    @Syncable @Model final class MarkedWithRemoteKey {
      @PrimaryKey @RemoteKey("k") var x = 1
      init() {}
    }
    @Syncable @Model final class WithBothKeys {
      @PrimaryKey(remote: "a") @RemoteKey("b") var x = 1
      init() {}
    }
    @Syncable @Model final class WithEmptyKeys {
      @PrimaryKey(remote: "") var xid = 1
      @RemoteKey("") var projectID = 2
      init() {}
    }
  }

  private func keys<Model: SyncMappedModel>(_ model: Model, _ style: KeyStyle) throws -> [String] {
    let container = try SyncContainer(
      for: Model.self, keyStyle: style, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    return container.export(model).keys.sorted()
  }

  @Test("3.7: the export key of each annotation, and of both")
  func annotations() throws {
    for (model, snake, camel) in [
      (Keyed.Plain(), ["id"], ["id"]), (Keyed.RemoteNamed(), ["remote_id"], ["remoteId"]),
      (Keyed.Marked(), ["xid"], ["xid"]), (Keyed.MarkedWithKey(), ["external_id"], ["external_id"]),
      (Keyed.WithRemoteKey(), ["uuid"], ["uuid"]), (Keyed.MarkedWithRemoteKey(), ["k"], ["k"]),
      (Keyed.WithBothKeys(), ["b"], ["b"]), (Keyed.WithEmptyKeys(), ["project_id", "xid"], ["projectId", "xid"]),
    ] as [(any SyncMappedModel, [String], [String])] {
      #expect(try keys(model, .snakeCase) == snake)
      #expect(try keys(model, .camelCase) == camel)
    }
  }

  @Test("3.7: what an export writes of an identity is found by a sync, whatever its annotations")
  func identitiesAreFound() async throws {
    func check<Model: SyncMappedModel>(_ model: Model) async throws {
      let container = try SyncContainer(for: Model.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      for time in 1...2 {
        let report = try await container.sync(payload: [container.export(model)], as: Model.self)
        #expect(report.changedNothing == (time == 2) && report.skippedRows.isEmpty, "\(Model.self)")
      }
    }
    for model in [
      Keyed.Plain(), Keyed.RemoteNamed(), Keyed.Marked(), Keyed.MarkedWithKey(), Keyed.WithRemoteKey(),
      Keyed.MarkedWithRemoteKey(), Keyed.WithEmptyKeys(),
    ] as [any SyncMappedModel] { try await check(model) }
    // Both keys of one property: it says itself that it is read from one and written under the other.
    let container = try SyncContainer(
      for: Keyed.WithBothKeys.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    try await container.sync(item: ["a": 7, "b": 8], as: Keyed.WithBothKeys.self)
    let stored = try ModelContext(container.modelContainer).fetch(FetchDescriptor<Keyed.WithBothKeys>())
    #expect(stored.map(\.x) == [7])
  }

  // MARK: Values

  struct Place: Codable, Equatable {
    var row: Int
  }

  @Syncable @Model final class Values {
    var id = 1
    var text = "t"
    var flag = true
    var int = -1
    var int8: Int8 = -8
    var int16: Int16 = -16
    var int32: Int32 = -32
    var int64 = Int64.min
    var uint = UInt.max
    var uint8: UInt8 = 8
    var uint16: UInt16 = 16
    var uint32: UInt32 = 32
    var uint64 = UInt64.max
    var double = 0.1
    var float: Float = 0.5
    var decimal = Decimal(string: "1.10") ?? 0
    var date = Date(timeIntervalSince1970: 1)
    var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    var url = URL(fileURLWithPath: "/a")
    var data = Data([1, 2, 3])
    var texts = ["a", "b"]
    var ints = [1, 2]
    var dates = [Date(timeIntervalSince1970: 1)]
    var weekday = Weekday.tuesday
    var place = Place(row: 7)
    var noText: String?
    var noDate: Date?
    init() {}
  }

  @Test("11.3: each kind of value has one form, nil is null, and all of it is JSON that a sync takes back")
  func values() async throws {
    let container = try SyncContainer(for: Values.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let object = container.export(Values())
    let kinds = object.mapValues { "\(type(of: $0))" }
    for (key, kind) in [
      "text": "String", "flag": "Bool", "int": "Int", "int8": "Int", "int16": "Int", "int32": "Int", "int64": "Int64",
      "uint": "UInt", "uint8": "UInt", "uint16": "UInt", "uint32": "UInt", "uint64": "UInt64", "double": "Double",
      "float": "Float", "decimal": "NSDecimalNumber", "date": "String", "uuid": "String", "url": "String",
      "data": "String", "no_text": "NSNull", "no_date": "NSNull",
    ] {
      #expect(kinds[key] == kind, "\(key)")
    }
    #expect(object["date"] as? String == "1970-01-01T00:00:01.000Z" && object["data"] as? String == "AQID")
    #expect(object["uuid"] as? String == "01020304-0506-0708-090A-0B0C0D0E0F10")
    #expect(object["url"] as? String == "file:///a" && object["texts"] as? [String] == ["a", "b"])
    #expect(object["ints"] as? [Int] == [1, 2] && (object["place"] as? [String: Any])?["row"] as? Int == 7)
    let json = try JSONSerialization.data(withJSONObject: [object])
    for _ in 1...2 { try await container.sync(json: json, as: Values.self) }
    let again = container.export(
      try #require(try ModelContext(container.modelContainer).fetch(FetchDescriptor<Values>()).first))
    #expect(NSDictionary(dictionary: again) == NSDictionary(dictionary: object))
  }
}
