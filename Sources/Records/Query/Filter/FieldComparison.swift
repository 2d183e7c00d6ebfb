import FoundationEssentials

/// A comparison of a field with a constant, the constant brought into the field's own type.
///
/// It means exactly what `FieldValue.matches` says of the field's value and the constant, so that filters may compare in the
/// field's type and indexes may be searched for the constant's key. A null field makes every one of these false.
enum FieldComparison {
  /// No value of the field compares so.
  case never
  /// Every value of the field compares so.
  case present
  case bool(Comparison, Bool)
  case signed(Comparison, Int64)
  case unsigned(Comparison, UInt64)
  /// The constant is not NaN.
  case floating(Comparison, Double)
  /// The constant is not NaN.
  case date(Comparison, Date)
  case text(Comparison, String)
  /// Compared by the bytes of their keys: decimals, UUIDs, data and composite values.
  case key(Comparison, [UInt8])

  /// Brings a constant into the type of a field.
  ///
  /// It is nil for a null, for `notEqual`, which a null field makes true, and where the constant has no counterpart in the
  /// field's type (a decimal and a floating-point field): such a comparison is evaluated value by value.
  init?(_ kind: FieldKind, _ comparison: Comparison, _ constant: FieldValue) {
    guard comparison != .notEqual else { return nil }
    switch (kind, constant) {
    case (_, .null): return nil
    case (.bool, .bool(let value)): self = .bool(comparison, value)
    case (.string, .string(let value)), (.string, .url(let value)), (.url, .string(let value)), (.url, .url(let value)):
      self = .text(comparison, value)
    case (.date, .date(let value)):
      let isNaN = value.timeIntervalSinceReferenceDate.isNaN
      // A date compares with NaN as with no other value, and so they all compare alike.
      self = !isNaN ? .date(comparison, value) : comparison.holds(value, value) ? .present : .never
    case (.uuid, .uuid(let value)): self = .key(comparison, KeyEncoder.bytes { $0.append(value) })
    case (.data, .data(let value)), (.composite, .composite(let value)):
      self = .key(comparison, KeyEncoder.bytes { encoder in value.withUnsafeBytes { encoder.append(data: $0) } })
    case (.int8, _), (.int16, _), (.int32, _), (.int64, _):
      self.init(constant, comparison, FieldComparison.signed)
    case (.uint8, _), (.uint16, _), (.uint32, _), (.uint64, _), (.row, _):
      self.init(constant, comparison, FieldComparison.unsigned)
    case (.float, _), (.double, _):
      switch constant.number {
      case .double(let value): self.init(floating: comparison, value)
      case .integer(let value): self.init(floating: comparison, integer: value)
      case .decimal: return nil
      case nil: self = .never
      }
    case (.decimal, _):
      switch constant.number {
      case .decimal(let value): self = .key(comparison, KeyEncoder.bytes { $0.append(value) })
      case .integer(let value): self = .key(comparison, KeyEncoder.bytes { $0.append(Number.decimal(of: value)) })
      case .double: return nil
      case nil: self = .never
      }
    default: self = .never
    }
  }

  private init(floating comparison: Comparison, _ value: Double) {
    self = value.isNaN ? .never : .floating(comparison, value)
  }

  /// A comparison with an integer that may lie between two neighbouring doubles.
  private init(floating comparison: Comparison, integer: Int128) {
    let nearest = Double(integer)
    switch (comparison, Int128(nearest)) {
    case (_, integer): self = .floating(comparison, nearest)
    case (.less, let rounded), (.lessOrEqual, let rounded):
      self = .floating(rounded > integer ? .less : .lessOrEqual, nearest)
    case (.greater, let rounded), (.greaterOrEqual, let rounded):
      self = .floating(rounded < integer ? .greater : .greaterOrEqual, nearest)
    default: self = .never
    }
  }

  /// A comparison of an integer field with a number that may have a fraction or be out of the field's range.
  private init?<Integer: FixedWidthInteger>(
    _ constant: FieldValue, _ comparison: Comparison, _ make: (Comparison, Integer) -> FieldComparison
  ) {
    var comparison = comparison
    let whole: Int128
    switch constant.number {
    case .integer(let value): whole = value
    case .double(let value):
      if value.isNaN {
        self = .never
        return
      }
      // Far beyond every integer field, and far within what the conversion can do.
      let floor = min(max(value, -0x1p100), 0x1p100).rounded(.down)
      whole = Int128(floor)
      if floor < value {
        switch comparison {
        case .less, .lessOrEqual: comparison = .lessOrEqual
        case .greater, .greaterOrEqual: comparison = .greater
        default:
          self = .never
          return
        }
      }
    case .decimal: return nil
    case nil:
      self = .never
      return
    }
    if let value = Integer(exactly: whole) {
      self = make(comparison, value)
    } else {
      switch comparison {
      case .less, .lessOrEqual: self = whole > 0 ? .present : .never
      case .greater, .greaterOrEqual: self = whole < 0 ? .present : .never
      default: self = .never
      }
    }
  }
}

extension KeyEncoder {
  /// The bytes that a closure appends to an empty encoder.
  static func bytes(_ append: (inout KeyEncoder) -> Void) -> [UInt8] {
    var encoder = KeyEncoder()
    append(&encoder)
    return encoder.bytes
  }
}
