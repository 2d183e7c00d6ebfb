import Foundation
import Testing

@testable import Sync

@Suite("CD-7.3 Values that a transformer has made: on objects, and in exports")
struct TransformedExportTests {
  struct Point: ValueTransformer {
    func transformedValue(_ value: Any?) -> Any? {
      guard let parts = (value as? String)?.split(separator: ",").compactMap({ Int($0) }), parts.count == 2 else {
        return nil
      }
      return ["x": parts[0], "y": parts[1]]
    }

    func reverseTransformedValue(_ value: Any?) -> Any? {
      guard let point = value as? [String: Any], let x = point["x"], let y = point["y"] else { return nil }
      return "\(x),\(y)"
    }
  }

  struct First: ValueTransformer {
    func transformedValue(_ value: Any?) -> Any? { (value as? [Any])?.first }
    func reverseTransformedValue(_ value: Any?) -> Any? { value.map { [$0] } }
  }

  struct OneWay: ValueTransformer {
    func transformedValue(_ value: Any?) -> Any? { (value as? String).map { $0.uppercased() } }
  }

  private func context() throws -> ManagedObjectContext {
    ValueTransformers.register(Point(), forName: "TransformedExportTests.Point")
    ValueTransformers.register(First(), forName: "TransformedExportTests.First")
    ValueTransformers.register(OneWay(), forName: "TransformedExportTests.OneWay")
    let model = try ManagedObjectModel {
      ModelEntity("Pin") {
        ModelAttribute("id", .integer64)
        ModelAttribute("place", .transformable, valueTransformerName: "TransformedExportTests.Point")
        ModelAttribute("name", .string, userInfo: ["sync.valueTransformer": "TransformedExportTests.First"])
        ModelAttribute("code", .string, userInfo: ["sync.valueTransformer": "TransformedExportTests.OneWay"])
        ModelAttribute("plain", .transformable)
      }
    }
    return DataStack(model: model, storeType: .inMemory).newBackgroundContext()
  }

  @Test("What a sync has transformed is on the object as it was made, and is exported as it came")
  func roundTrip() throws {
    let context = try context()
    let payload: [String: Any] = ["id": 1, "place": "3,4", "name": ["Bob"], "code": "a"]
    let pin: ManagedObject = try context.insertOrUpdate(payload, inEntityNamed: "Pin")
    #expect(try pin.value("place", as: [String: Int].self) == ["x": 3, "y": 4])
    #expect(pin["name"] as? String == "Bob")
    #expect(pin["code"] as? String == "A")
    let exported = pin.export()
    #expect(exported["place"] as? String == "3,4")
    #expect(exported["name"] as? [String] == ["Bob"])
    // Without a way back it is the value itself.
    #expect(exported["code"] as? String == "A")
    let again: ManagedObject = try context.insertOrUpdate(exported, inEntityNamed: "Pin")
    #expect(again === pin)
    #expect(try pin.value("place", as: [String: Int].self) == ["x": 3, "y": 4])
  }

  @Test("A transformable attribute takes and gives back whatever JSON has a form for, and what it is made of")
  func accessors() throws {
    let context = try context()
    let pin = try context.make("Pin", ["id": 1])
    let date = Date(timeIntervalSinceReferenceDate: 0.125)
    let id = UUID()
    let values: [Any] = [
      "text", 5, 1.5, date, id, Data([0, 255]),
      Decimal(sign: .plus, exponent: -1, significand: 1), [1, 2], ["a": [date]],
    ]
    for value in values {
      pin["plain"] = value
      try context.save()
      try context.refresh(pin, mergeChanges: false)
      let read = try #require(pin["plain"])
      #expect("\(read)" == "\(value)")
    }
    // Numbers and truth values come back as number objects, which are whatever they fit.
    pin["plain"] = [true, 5]
    try context.save()
    try context.refresh(pin, mergeChanges: false)
    #expect((pin["plain"] as? [Any])?.first as? Bool == true)
    pin["plain"] = ["a": [date]]
    #expect(try (pin.value("plain", as: [String: [Date]].self)) == ["a": [date]])
    pin["plain"] = nil
    try context.save()
    #expect(pin["plain"] == nil)
    #expect(throws: ManagedObjectError.self) { try pin.setValue(context, for: "plain") }
    // It has no form in JSON that everybody would agree on, so only its own transformer exports it.
    pin["plain"] = ["x": 1]
    #expect(pin.export()["plain"] as? [String: Int] == ["x": 1])
  }
}
