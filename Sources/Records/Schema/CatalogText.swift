/// Reads the text of a stored catalog without the coding machinery, which takes a process longer to set in motion than all the rest of
/// opening a store.
///
/// It knows what `StoreFormat.write` writes of a catalog whose records have one layout. For everything else it gives nil, and the text
/// is decoded as it would be without this.
struct CatalogText {
  private var rest: Slice<UnsafeRawBufferPointer>

  static func read(_ text: UnsafeRawBufferPointer) -> CatalogDocument? {
    var reader = CatalogText(rest: text[...])
    guard let value = reader.value(), reader.rest.isEmpty else { return nil }
    return CatalogDocument(value)
  }

  /// A value of the text. Numbers are whole, and texts have no escapes.
  enum Value {
    case null
    case bool(Bool)
    case number(UInt64)
    case text(String)
    case list([Value])
    case object([(key: String, value: Value)])
  }

  private mutating func value() -> Value? {
    switch rest.first {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return list()
    case UInt8(ascii: "\""): return text().map { .text($0) }
    case UInt8(ascii: "t"): return skip("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return skip("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return skip("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object() -> Value? {
    var members: [(key: String, value: Value)] = []
    guard skip("{") else { return nil }
    if skip("}") { return .object(members) }
    repeat {
      guard let key = text(), skip(":"), let value = value() else { return nil }
      members.append((key, value))
    } while skip(",")
    return skip("}") ? .object(members) : nil
  }

  private mutating func list() -> Value? {
    var elements: [Value] = []
    guard skip("[") else { return nil }
    if skip("]") { return .list(elements) }
    repeat {
      guard let value = value() else { return nil }
      elements.append(value)
    } while skip(",")
    return skip("]") ? .list(elements) : nil
  }

  private mutating func text() -> String? {
    guard skip("\""), let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
      rest[end] == UInt8(ascii: "\"")
    else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(validating: rest[..<end], as: UTF8.self)
  }

  private mutating func number() -> Value? {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard let number = UInt64(String(decoding: digits, as: UTF8.self)) else { return nil }
    rest = rest[digits.endIndex...]
    return .number(number)
  }

  private mutating func skip(_ expected: StaticString) -> Bool {
    let isThere = expected.withUTF8Buffer { rest.starts(with: $0) }
    if isThere { rest = rest.dropFirst(expected.utf8CodeUnitCount) }
    return isThere
  }
}

extension CatalogText.Value {
  /// The value of a member, if it is of a type; nil where there is none, and for null.
  subscript(_ key: String) -> CatalogText.Value? {
    guard case .object(let members) = self, let member = members.first(where: { $0.key == key }) else { return nil }
    if case .null = member.value { return nil }
    return member.value
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  var list: [CatalogText.Value]? {
    if case .list(let elements) = self { elements } else { nil }
  }

  func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
    if case .number(let number) = self { Number(exactly: number) } else { nil }
  }

  /// Whether each of some members is a text, null, or not there.
  func hasTextsOrNothing(_ keys: String...) -> Bool {
    keys.allSatisfy { key in self[key].map { $0.text != nil } ?? true }
  }

  /// The elements of a list, made into something else; nil if one of them cannot be.
  func map<Element>(_ transform: (CatalogText.Value) -> Element?) -> [Element]? {
    guard let list else { return nil }
    let result = list.compactMap(transform)
    return result.count == list.count ? result : nil
  }

  var texts: [String]? { map(\.text) }
  var listsOfTexts: [[String]]? { map(\.texts) }
}
