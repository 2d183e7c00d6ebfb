import FoundationEssentials

/// How values of one kind become values of a wider one.
///
/// Only conversions that lose nothing are here. So it makes no difference whether a value is converted in several steps or
/// in one, and records of any earlier layout are converted in one.
enum FieldConversion: Equatable {
  /// The kinds are the same.
  case none
  /// Every value of the old kind is a value of the new one.
  case always
  /// Some values of the old kind are values of the new one; rows have to be looked at.
  case whereExact

  /// The conversion from one kind to another, or nil when there is none.
  init?(from old: FieldKind, to new: FieldKind) {
    if old == new {
      self = .none
      return
    }
    switch (old.numericRange, new.numericRange) {
    case (.integer(let signed, let bits), .integer(let newSigned, let newBits)):
      guard signed == newSigned ? newBits > bits : newSigned && newBits > bits else { return nil }
      self = .always
    case (.integer(_, let bits), .floating(let significandBits)):
      self = bits <= significandBits ? .always : .whereExact
    case (.integer, .decimal):
      self = .always
    case (.floating(let bits), .floating(let newBits)) where newBits > bits:
      self = .always
    default:
      guard old == .url, new == .string else { return nil }
      self = .always
    }
  }

  /// The value as one of another kind, or nil when there is none that equals it.
  static func convert(_ value: FieldValue, to kind: FieldKind) -> FieldValue? {
    switch (value, kind.numericRange) {
    case (.null, _): .null
    case (.int(let value), .integer(signed: true, let bits)): value.fits(bits) ? .int(value) : nil
    case (.uint(let value), .integer(signed: true, let bits)):
      Int64(exactly: value).flatMap { $0.fits(bits) ? .int($0) : nil }
    case (.uint(let value), .integer(signed: false, let bits)):
      bits == 64 || value >> UInt64(bits) == 0 ? .uint(value) : nil
    case (.int(let value), .floating(24)): Float(exactly: value).map(FieldValue.float)
    case (.int(let value), .floating): Double(exactly: value).map(FieldValue.double)
    case (.uint(let value), .floating(24)): Float(exactly: value).map(FieldValue.float)
    case (.uint(let value), .floating): Double(exactly: value).map(FieldValue.double)
    case (.float(let value), .floating(53)): .double(Double(value))
    case (.int(let value), .decimal): .decimal(Decimal(value))
    case (.uint(let value), .decimal): .decimal(Decimal(value))
    default: kind.holds(value) ? value : kind == .string ? value.urlText.map(FieldValue.string) : nil
    }
  }
}

extension Int64 {
  fileprivate func fits(_ bits: Int) -> Bool {
    bits == 64 || (self >> Int64(bits - 1) == 0 || self >> Int64(bits - 1) == -1)
  }
}

extension FieldValue {
  fileprivate var urlText: String? {
    if case .url(let text) = self { text } else { nil }
  }
}

extension FieldKind {
  /// What numbers a kind can hold.
  enum NumericRange: Equatable {
    case integer(signed: Bool, bits: Int)
    /// With so many bits of precision.
    case floating(Int)
    case decimal
  }

  var numericRange: NumericRange? {
    switch self {
    case .int8: .integer(signed: true, bits: 8)
    case .int16: .integer(signed: true, bits: 16)
    case .int32: .integer(signed: true, bits: 32)
    case .int64: .integer(signed: true, bits: 64)
    case .uint8: .integer(signed: false, bits: 8)
    case .uint16: .integer(signed: false, bits: 16)
    case .uint32: .integer(signed: false, bits: 32)
    case .uint64: .integer(signed: false, bits: 64)
    case .float: .floating(24)
    case .double: .floating(53)
    case .decimal: .decimal
    default: nil
    }
  }

  /// Whether a value that no conversion made is of this kind.
  fileprivate func holds(_ value: FieldValue) -> Bool {
    switch (value, self) {
    case (.bool, .bool), (.float, .float), (.double, .double), (.decimal, .decimal), (.string, .string), (.date, .date),
      (.uuid, .uuid), (.url, .url), (.data, .data), (.composite, .composite), (.uint, .row):
      true
    default: false
    }
  }

  /// Whether the bytes of a value of the other kind are those of a value of this one.
  func isStored(as other: FieldKind) -> Bool {
    self == other || self == .string && other == .url
  }

  /// Whether index keys of the two kinds have the same form, so that entries stay right when an attribute is converted.
  func hasSameKeys(as other: FieldKind) -> Bool {
    switch (numericRange, other.numericRange) {
    case (.integer(let signed, _), .integer(let otherSigned, _)): signed == otherSigned
    case (.floating, .floating): true
    default: self == other || [self, other].allSatisfy { $0 == .string || $0 == .url }
    }
  }
}
