import FoundationEssentials
import Records

/// Converts payload values to the types of attributes. docs/mapping-contract.md has the whole matrix.
enum Coercion {
  /// A converted value, and whether all of the payload value went into it.
  struct Result {
    var value: CoercedValue
    /// False when only the beginning of a text could be read, or an object has a key more than once.
    var isWhole = true
  }

  /// The value as a type, nil when it is unreadable as that type. Null is unreadable as everything.
  static func convert(_ value: PayloadValue, to type: AttributeType) -> Result? {
    switch type {
    case .decimal:
      return decimal(value).map { Result(value: .decimal($0.value), isWhole: $0.isWhole) }
    case .composite:
      return composite(value)
    default:
      return lenient(value, to: type).map { Result(value: $0) }
    }
  }

  @inline(__always)
  private static func lenient(_ value: PayloadValue, to type: AttributeType) -> CoercedValue? {
    switch type {
    case .string: text(value)
    case .uuid: uuid(value).map { .uuid($0) }
    case .date: date(value).map { .date($0) }
    case .int64: integer(value, as: Int64.self).map { .int($0) }
    case .int32: integer(value, as: Int32.self).map { .int(Int64($0)) }
    case .int16: integer(value, as: Int16.self).map { .int(Int64($0)) }
    case .int8: integer(value, as: Int8.self).map { .int(Int64($0)) }
    case .uint64: integer(value, as: UInt64.self).map { .uint($0) }
    case .uint32: integer(value, as: UInt32.self).map { .uint(UInt64($0)) }
    case .uint16: integer(value, as: UInt16.self).map { .uint(UInt64($0)) }
    case .uint8: integer(value, as: UInt8.self).map { .uint(UInt64($0)) }
    case .bool: bool(value).map { .bool($0) }
    case .double: double(value).map { .double($0) }
    case .float: float(value).map { .float($0) }
    case .decimal: decimal(value).map { .decimal($0.value) }
    case .url: url(value)
    case .data: data(value)
    case .composite: composite(value)?.value
    }
  }

  /// The value as a type that can hold all of it; nil for one of which a part would get lost, as the fraction of a number.
  static func exact(_ value: PayloadValue, to type: AttributeType) -> CoercedValue? {
    guard let result = convert(value, to: type), result.isWhole else { return nil }
    if type == .string, value.kind == .nativeReal,
      let whole = NumberText.double(value.bytes).flatMap(Int64.init(exactly:))
    {
      // 5.0 is 5, whether it comes from JSON or from Swift.
      return .made(Array(whole.description.utf8))
    }
    switch (result.value, value.kind) {
    case (.int, .real), (.int, .nativeReal), (.int, .decimal), (.uint, .real), (.uint, .nativeReal), (.uint, .decimal):
      guard let number = NumberText.double(value.bytes), number == number.rounded() else { return nil }
    default: break
    }
    return result.value
  }

  // MARK: Numbers

  /// A whole number in a width. Fractions are cut off; text has to be a sign and digits.
  @inline(__always)
  static func integer<Value: FixedWidthInteger>(_ value: PayloadValue, as type: Value.Type) -> Value? {
    switch value.kind {
    case .integer, .string: NumberText.integer(value.bytes)?.value(as: type)
    case .real, .nativeReal: NumberText.wholePart(value.bytes)?.value(as: type)
    case .decimal: (NumberText.integer(value.bytes) ?? NumberText.wholePart(value.bytes))?.value(as: type)
    case .bool: value.isTrue ? 1 : 0
    default: nil
    }
  }

  static func double(_ value: PayloadValue) -> Double? {
    let number: Double? =
      switch value.kind {
      case .integer, .real, .nativeReal, .decimal, .string: NumberText.double(value.bytes)
      case .bool: value.isTrue ? 1 : 0
      default: nil
      }
    return number?.isFinite == true ? number : nil
  }

  static func float(_ value: PayloadValue) -> Float? {
    let number: Float? =
      switch value.kind {
      case .integer, .real, .nativeReal, .decimal, .string: NumberText.float(value.bytes)
      case .bool: value.isTrue ? 1 : 0
      default: nil
      }
    return number?.isFinite == true ? number : nil
  }

  static func decimal(_ value: PayloadValue) -> NumberText.DecimalPrefix? {
    switch value.kind {
    case .integer, .real, .nativeReal, .decimal, .string: NumberText.decimal(value.bytes)
    case .bool: NumberText.DecimalPrefix(value: value.isTrue ? 1 : 0, isWhole: true)
    default: nil
    }
  }

  static func bool(_ value: PayloadValue) -> Bool? {
    switch value.kind {
    case .bool: return value.isTrue
    case .integer, .real, .nativeReal, .decimal:
      switch integer(value, as: Int64.self) {
      case 0: return false
      case 1: return true
      default: return nil
      }
    case .string:
      let text = ASCII.trimmed(value.bytes)
      if ["true", "1", "yes"].contains(where: { ASCII.isEqual(text, ignoringCaseTo: $0) }) { return true }
      if ["false", "0", "no"].contains(where: { ASCII.isEqual(text, ignoringCaseTo: $0) }) { return false }
      return nil
    default: return nil
    }
  }

  // MARK: Text and what is written as text

  @inline(__always)
  static func text(_ value: PayloadValue) -> CoercedValue? {
    switch value.kind {
    case .string, .url, .integer, .nativeReal, .decimal: return .borrowed(value.bytes)
    case .real:
      guard let number = NumberText.double(value.bytes), number.isFinite else { return .borrowed(value.bytes) }
      return .made(Array((Int64(exactly: number)?.description ?? number.description).utf8))
    case .bool:
      let word = value.isNativeBool ? (value.isTrue ? "true" : "false") : (value.isTrue ? "1" : "0")
      return .made(Array(word.utf8))
    case .uuid:
      return uuid(value).map { .made(Array($0.uuidString.utf8)) }
    default: return nil
    }
  }

  @inline(__always)
  static func uuid(_ value: PayloadValue) -> UUID? {
    switch value.kind {
    case .string: UUIDText.uuid(value.bytes)
    case .uuid: UUID(uuid: UnsafeRawBufferPointer(value.bytes).loadUnaligned(as: uuid_t.self))
    default: nil
    }
  }

  static func url(_ value: PayloadValue) -> CoercedValue? {
    switch value.kind {
    case .url: .borrowed(value.bytes)
    case .string: URL(string: value.string).map { .made(Array($0.absoluteString.utf8)) }
    default: nil
    }
  }

  static func data(_ value: PayloadValue) -> CoercedValue? {
    switch value.kind {
    case .data: .borrowed(value.bytes)
    case .string: value.base64Data.map { .data($0) }
    default: nil
    }
  }

  @inline(__always)
  static func date(_ value: PayloadValue) -> Double? {
    switch value.kind {
    case .date: value.dateSeconds
    case .string: DateText.date(value.bytes)
    case .integer, .real, .nativeReal, .decimal:
      DateText.unixTime(value.bytes) ?? NumberText.double(value.bytes).flatMap(DateText.unixTime)
    default: nil
    }
  }

  /// The JSON text of any value but null.
  static func composite(_ value: PayloadValue) -> Result? {
    guard !value.isNull else { return nil }
    var writer = JSONWriter()
    writer.write(value)
    return Result(value: .made(writer.bytes), isWhole: !writer.hasLeftOutMembers)
  }

  // MARK: Identities in foreign keys

  /// The value as an identity that somebody refers to: of the same kind as the identity, in any lossless form. Unlike
  /// `convert` it never turns a text into a number or a number into a text, because a wrong link is worse than none.
  @inline(__always)
  static func reference(_ value: PayloadValue, to type: AttributeType) -> CoercedValue? {
    switch (type, value.kind) {
    case (.string, .string), (.uuid, .string), (.uuid, .uuid), (.bool, .bool), (.date, .date), (.url, .url),
      (.data, .data), (.decimal, .decimal), (.decimal, .integer), (.decimal, .real), (.float, .nativeReal),
      (.float, .real), (.float, .integer), (.double, .nativeReal), (.double, .real), (.double, .integer):
      lenient(value, to: type)
    case (.int64, .integer), (.int32, .integer), (.int16, .integer), (.int8, .integer), (.uint64, .integer),
      (.uint32, .integer), (.uint16, .integer), (.uint8, .integer):
      lenient(value, to: type)
    case (.int64, .real), (.int32, .real), (.int16, .real), (.int8, .real), (.uint64, .real), (.uint32, .real),
      (.uint16, .real), (.uint8, .real):
      // 10.0 is the integer 10; 10.5 is none.
      NumberText.double(value.bytes).flatMap { $0 == $0.rounded() ? lenient(value, to: type) : nil }
    case (.int64, .decimal), (.int32, .decimal), (.int16, .decimal), (.int8, .decimal), (.uint64, .decimal),
      (.uint32, .decimal), (.uint16, .decimal), (.uint8, .decimal):
      // What boxes hold whole numbers in that no `Int` can.
      NumberText.integer(value.bytes) == nil ? nil : lenient(value, to: type)
    default: nil
    }
  }
}

extension PayloadValue {
  /// The data that a text in base 64 stands for. The text is read where it lies.
  fileprivate var base64Data: Data? {
    guard let start = bytes.baseAddress else { return Data() }
    return Data(
      base64Encoded: Data(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none))
  }
}
