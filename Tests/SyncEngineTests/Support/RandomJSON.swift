import TestSupport

@testable import SyncEngine

/// A JSON value of the tests, with the text that it is written as.
indirect enum SampleJSON: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number by its text.
  case number(String)
  case string(String)
  case array([SampleJSON])
  case object([Member])

  struct Member: Equatable, Sendable {
    var key: String
    var value: SampleJSON
  }

  /// The value as the parser sees it.
  init(_ value: PayloadValue) {
    switch value.kind {
    case .null: self = .null
    case .bool: self = .bool(value.isTrue)
    case .integer, .real: self = .number(value.string)
    case .string: self = .string(value.string)
    case .array: self = .array(value.elements.map(SampleJSON.init))
    case .object:
      self = .object(value.members.map { Member(key: $0.key.string, value: SampleJSON($0.value)) })
    default: self = .string("unexpected kind \(value.kind)")
    }
  }

  static func random(depth: Int, using random: inout SplitMix64) -> SampleJSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .number("\(Int64(truncatingIfNeeded: random.next()) >> Int.random(in: 0..<64, using: &random))")
    case 3: return .number(numbers[Int.random(in: 0..<numbers.count, using: &random)])
    case 4, 5: return .string(randomString(using: &random))
    case 6:
      let count = Int.random(in: 0..<5, using: &random)
      return .array((0..<count).map { _ in SampleJSON.random(depth: depth - 1, using: &random) })
    default:
      let count = Int.random(in: 0..<5, using: &random)
      return .object(
        (0..<count).map { _ in
          Member(key: randomString(using: &random), value: SampleJSON.random(depth: depth - 1, using: &random))
        })
    }
  }

  private static let numbers = [
    "0", "-0", "1.5", "-12.250", "1e5", "1E-5", "2.5e+3", "123456789012345678901234567890", "0.1", "1e400",
  ]

  private static func randomString(using random: inout SplitMix64) -> String {
    let pieces = [
      "a", "Z", "\"", "\\", "/", "\n", "\t", "\u{1}", "é", "日本", "🚀", " ", ":", ",", "]", "plain text of some length",
    ]
    let count = Int.random(in: 0..<6, using: &random)
    return (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
  }

  /// The value as text, with white space and escapes that vary.
  func text(using random: inout SplitMix64) -> String {
    func space() -> String {
      ["", "", "", " ", "\n", "\t ", "\r\n"][Int.random(in: 0..<7, using: &random)]
    }
    func quoted(_ string: String) -> String {
      var text = "\""
      for scalar in string.unicodeScalars {
        if scalar == "\"" || scalar == "\\" {
          text += "\\\(scalar)"
        } else if scalar.value < 0x20 || Int.random(in: 0..<8, using: &random) == 0 {
          for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          }
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
      return text + "\""
    }
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .number(let text): return text
    case .string(let value): return quoted(value)
    case .array(let values):
      return "[" + space() + values.map { $0.text(using: &random) + space() }.joined(separator: "," + space()) + "]"
    case .object(let members):
      let texts = members.map { member in
        quoted(member.key) + space() + ":" + space() + member.value.text(using: &random) + space()
      }
      return "{" + space() + texts.joined(separator: "," + space()) + "}"
    }
  }
}
