import Foundation
import Testing

@testable import SwiftSync

@Suite("1.2, 3.3, 5: Payloads of hand-written models: which keys are found, and what values become")
struct SyncPayloadTests {
  /// A key that is asked for as an `Int`, in one object.
  struct LookUp: Sendable, CustomTestStringConvertible {
    let style: KeyStyle
    let key: String
    let json: String
    let value: Int?

    init(_ style: KeyStyle, _ key: String, _ json: String, _ value: Int?) {
      self.style = style
      self.key = key
      self.json = json
      self.value = value
    }

    var testDescription: String { "\(key) in \(json), \(style)" }
  }

  static let lookUps = [
    LookUp(.snakeCase, "projectID", #"{"project_id":1}"#, 1),
    LookUp(.snakeCase, "projectID", #"{"projectID":1}"#, 1),
    LookUp(.snakeCase, "projectID", #"{"projectId":1}"#, nil),
    LookUp(.snakeCase, "project_id", #"{"projectId":1}"#, nil),
    LookUp(.camelCase, "project_id", #"{"projectId":1}"#, 1),
    LookUp(.camelCase, "project_id", #"{"project_id":1}"#, 1),
    LookUp(.camelCase, "projectID", #"{"projectID":1}"#, 1),
    LookUp(.snakeCase, "id", #"{"remote_id":1}"#, 1),
    LookUp(.snakeCase, "id", #"{"id":null,"remote_id":9}"#, 9),
    LookUp(.snakeCase, "id", #"{"id":"x","remote_id":9}"#, 9),
    LookUp(.snakeCase, "id", #"{"id":3,"remote_id":9}"#, 3),
    LookUp(.camelCase, "id", #"{"remoteID":1}"#, 1),
    LookUp(.snakeCase, "remoteID", #"{"id":1}"#, 1),
    LookUp(.snakeCase, "remote_id", #"{"id":1}"#, nil),
    LookUp(.snakeCase, "userIDs", #"{"user_ids":1}"#, 1),
    LookUp(.snakeCase, "userIDs", #"{"user_i_ds":1}"#, 1),
    LookUp(.snakeCase, "a.b", #"{"a":{"b":1}}"#, 1),
    LookUp(.snakeCase, "a.b", #"{"a.b":2,"a":{"b":1}}"#, 2),
    LookUp(.snakeCase, "a.b", #"{"a":null}"#, nil),
    LookUp(.snakeCase, "a.b", #"{"a":[1]}"#, nil),
    LookUp(.camelCase, "profile.contact_email", #"{"profile":{"contactEmail":5}}"#, 5),
    LookUp(.snakeCase, "profile.contactEmail", #"{"profile":{"contact_email":5}}"#, 5),
    LookUp(.snakeCase, "a..b", #"{"a":{"":{"b":4}}}"#, 4),
  ]

  @Test("3.3 Keys are tried in their forms, dots lead into nested objects", arguments: lookUps)
  func lookUp(_ lookUp: LookUp) throws {
    let payload = try payload(lookUp.json, lookUp.style)
    #expect(payload.value(for: lookUp.key) == lookUp.value)
    #expect((try? payload.required(Int.self, for: lookUp.key)) == lookUp.value)
  }

  @Test("3.3 A key is contained also when it is null, but not when an object on the way is")
  func contains() throws {
    let payload = try payload(#"{"a":null,"b":{"c":null},"d":null}"#)
    #expect(payload.contains("a") && payload.contains("b.c"))
    #expect(!payload.contains("d.e") && !payload.contains("x"))
    #expect(payload.value(for: "a", as: NSNull.self) != nil && payload.value(for: "x", as: NSNull.self) == nil)
  }

  /// A value and what it becomes, as text.
  struct Conversion: Sendable, CustomTestStringConvertible {
    let json: String
    let type: any (Equatable & Sendable).Type
    let text: String?

    init(_ json: String, _ type: any (Equatable & Sendable).Type, _ text: String?) {
      self.json = json
      self.type = type
      self.text = text
    }

    var testDescription: String { "\(json) as \(type)" }
  }

  static let conversions = [
    Conversion("7", Int.self, "7"), Conversion("42.9", Int.self, "42"), Conversion(#""42""#, Int.self, "42"),
    Conversion(#""4 2""#, Int.self, nil), Conversion("true", Int.self, "1"), Conversion("1e300", Int.self, nil),
    Conversion("null", Int.self, nil), Conversion("{}", Int.self, nil), Conversion("[1]", Int.self, nil),
    Conversion("300", Int8.self, nil), Conversion("-3", Int8.self, "-3"), Conversion("-3", UInt16.self, nil),
    Conversion("18446744073709551615", UInt64.self, "18446744073709551615"),
    Conversion("9007199254740993", Int64.self, "9007199254740993"),
    Conversion("7", Double.self, "7.0"), Conversion(#""3.14""#, Double.self, "3.14"),
    Conversion(#""nan""#, Double.self, nil), Conversion("0.5", Float.self, "0.5"),
    Conversion("0.12345678901234567890", Decimal.self, "0.1234567890123456789"),
    Conversion(#""12.50""#, Decimal.self, "12.5"),
    Conversion("1", Bool.self, "true"), Conversion("2", Bool.self, nil), Conversion(#"" YES ""#, Bool.self, "true"),
    Conversion(#""on""#, Bool.self, nil), Conversion("true", Bool.self, "true"),
    Conversion("42", String.self, "42"), Conversion("5.0", String.self, "5"), Conversion("true", String.self, "1"),
    Conversion(#""a""#, String.self, "a"), Conversion("[1]", String.self, nil),
    Conversion(#""6f9619ff-8b86-d011-b42d-00c04fc964ff""#, UUID.self, "6F9619FF-8B86-D011-B42D-00C04FC964FF"),
    Conversion(#""6f96""#, UUID.self, nil), Conversion("1", UUID.self, nil),
    Conversion(#""https://a.b/c d""#, URL.self, "https://a.b/c%20d"), Conversion(#""""#, URL.self, nil),
    Conversion(#""aGk=""#, Data.self, "2 bytes"), Conversion(#""2016-01-09""#, Date.self, "2016-01-09 00:00:00 +0000"),
    Conversion(#""2016-02-31""#, Date.self, nil), Conversion("1441888808", Date.self, "2015-09-10 12:40:08 +0000"),
    Conversion("true", Date.self, nil),
    Conversion(#"["a","b"]"#, [String].self, #"["a", "b"]"#), Conversion(#"["a",1]"#, [String].self, nil),
    Conversion("[1,2]", [Int].self, "[1, 2]"), Conversion(#""open""#, TicketState.self, "open"),
    Conversion(#""ajar""#, TicketState.self, nil), Conversion(#"{"a":1}"#, [String: Int].self, #"["a": 1]"#),
    Conversion("null", String?.self, "nil"), Conversion("5", String?.self, #"Optional("5")"#),
    Conversion("{}", String?.self, nil),
  ]

  @Test("5 Values are converted as those of mapped models are", arguments: conversions)
  func conversion(_ conversion: Conversion) throws {
    func convert<T>(_ type: T.Type) throws -> String? {
      try payload(#"{"a":\#(conversion.json)}"#).value(for: "a", as: type).map { "\($0)" }
    }
    #expect(try convert(conversion.type) == conversion.text)
  }

  @Test("5 Native values keep their kinds, and boxes are opened")
  func nativeValues() {
    let date = Date(timeIntervalSince1970: 5)
    let payload = SyncPayload(values: [
      "int": 7, "double": 5.0, "bool": true, "date": date, "none": Optional<Int>.none as Any,
      "some": Optional(3) as Any, "json": SyncJSON.object(["a": .array([.int(1)])]), "nan": Double.nan,
    ])
    #expect(payload.value(for: "int", as: Int64.self) == 7 && payload.value(for: "int", as: String.self) == "7")
    #expect(payload.value(for: "double", as: String.self) == "5.0")
    #expect(payload.value(for: "bool", as: String.self) == "true")
    #expect(payload.value(for: "date", as: Date.self) == date)
    #expect(payload.contains("none") && payload.value(for: "none", as: Int.self) == nil)
    #expect(payload.value(for: "some", as: Int.self) == 3)
    #expect(payload.value(for: "json.a", as: [Int].self) == [1])
    #expect(payload.value(for: "nan", as: Double.self) == nil)
  }

  @Test("3.3, 4.2 Required values: null and dates have stand-ins, everything else throws and says where it looked")
  func required() throws {
    let payload = try payload(#"{"null":null,"junk":{"x":1},"fullName":"A"}"#)
    #expect(try payload.required(String.self, for: "null") == "")
    #expect(try payload.required(for: "null") == 0)
    #expect(try payload.required(Date.self, for: "junk") == Date(timeIntervalSince1970: 0))
    #expect(try payload.required([Int].self, for: "null") == [])
    #expect(try payload.required(String?.self, for: "null") == nil)
    #expect(try payload.required(for: "fullName") == "A")
    for (key, isURL) in [("null", true), ("junk", false), ("missing", false)] {
      let error = #expect(throws: SyncError.self) {
        if isURL { _ = try payload.required(URL.self, for: key) } else { _ = try payload.required(Int.self, for: key) }
      }
      guard case .invalidPayload("Payload", let reason)? = error else {
        Issue.record("\(key) throws \(String(describing: error))")
        continue
      }
      #expect(reason.contains(key))
    }
  }

  private func payload(_ json: String, _ style: KeyStyle = .snakeCase) throws -> SyncPayload {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    return SyncPayload(values: try #require(object as? [String: Any]), keyStyle: style)
  }
}
