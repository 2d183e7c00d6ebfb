/// What a condition says about one field, as an index can use it.
struct FieldConstraint {
  enum Keys {
    /// The field has one of these keys, which are in ascending order.
    case points([[UInt8]])
    /// The field's key is in one of these, which are in ascending order and do not meet.
    case intervals([KeyInterval])
  }

  var field: FieldIndex
  var keys: Keys
  /// Whether the condition says no more than that.
  var isExact: Bool

  /// Nil when the condition says nothing that an index could use.
  init?(_ condition: Condition, of entity: Entity) {
    switch condition {
    case .isNull(.field(let field)): self.init(field, .points([KeyEncoder.bytes { $0.appendNull() }]))
    case .not(.isNull(.field(let field))): self.init(field, .intervals([.present]))
    case .compare(.field(let field), let comparison, .constant(let value)):
      guard let kind = entity.layout.kind(of: field), let comparison = FieldComparison(kind, comparison, value) else {
        return nil
      }
      if case .equal? = comparison.operation {
        self.init(field, .points(comparison.key.map { [$0] } ?? []))
      } else {
        self.init(field, .intervals(comparison.intervals))
      }
    case .oneOf(.field(let field), let values):
      guard let kind = entity.layout.kind(of: field) else { return nil }
      var keys: Set<[UInt8]> = []
      for value in values {
        guard let key = kind.keys(equalTo: value) else { return nil }
        keys.formUnion(key)
      }
      self.init(field, .points(keys.sorted { $0.lexicographicallyPrecedes($1) }))
    case .text(.field(let field), TextMatch(.hasPrefix), .constant(.string(let prefix))):
      guard entity.layout.kind(of: field)?.isText == true else { return nil }
      // The key without the two bytes that end it.
      let key = KeyEncoder.bytes { $0.append(prefix) }.dropLast(2)
      self.init(field, .intervals([KeyInterval(startingWith: Array(key))]), isExact: false)
    default: return nil
    }
  }

  private init(_ field: FieldIndex, _ keys: Keys, isExact: Bool = true) {
    self.field = field
    self.keys = keys
    self.isExact = isExact
  }
}

extension FieldComparison {
  /// Nil where no value compares so, or every value does.
  fileprivate var operation: Comparison? {
    switch self {
    case .never, .present: nil
    case .bool(let comparison, _), .signed(let comparison, _), .unsigned(let comparison, _),
      .floating(let comparison, _), .date(let comparison, _), .text(let comparison, _), .key(let comparison, _):
      comparison
    }
  }

  /// The keys of one field that compare so.
  fileprivate var intervals: [KeyInterval] {
    // NaN is behind all numbers.
    let notANumber = KeyEncoder.bytes { $0.append(Double.nan) }
    switch self {
    case .never: return []
    case .present: return [.present]
    case .floating(let operation, _): return KeyInterval.those(operation, key, last: notANumber)
    case .date(let operation, _):
      switch operation {
      case .lessOrEqual: return KeyInterval.those(operation, key, last: nil) + [KeyInterval(startingWith: notANumber)]
      case .greaterOrEqual: return KeyInterval.those(operation, key, last: KeyInterval.present.upper)
      default: return KeyInterval.those(operation, key, last: notANumber)
      }
    case .bool(let operation, _), .signed(let operation, _), .unsigned(let operation, _), .text(let operation, _),
      .key(let operation, _):
      return KeyInterval.those(operation, key, last: KeyInterval.present.upper)
    }
  }
}

extension RecordLayout {
  fileprivate func kind(of field: FieldIndex) -> FieldKind? {
    fields.indices.contains(field) ? fields[field].kind : nil
  }
}

extension KeyInterval {
  /// The keys that compare so with one; the greater ones end before `last`.
  fileprivate static func those(_ comparison: Comparison, _ key: [UInt8]?, last: [UInt8]?) -> [KeyInterval] {
    guard let key else { return [] }
    switch comparison {
    case .equal: return [KeyInterval(startingWith: key)]
    case .less: return [KeyInterval(lower: present.lower, upper: key)]
    case .lessOrEqual: return [KeyInterval(lower: present.lower, upper: key.successor)]
    case .greater: return [KeyInterval(lower: key.successor ?? [], upper: last)]
    case .greaterOrEqual: return [KeyInterval(lower: key, upper: last)]
    case .notEqual: return []
    }
  }
}
