/// What a condition says about one field, as an index can use it.
struct FieldConstraint {
  enum Keys {
    /// The field has one of these keys, which are in ascending order.
    case points([[UInt8]])
    case interval(KeyInterval)
  }

  var field: FieldIndex
  var keys: Keys
  /// Whether the condition says no more than that.
  var isExact: Bool

  /// Nil when the condition says nothing that an index could use.
  init?(_ condition: Condition, of entity: Entity) {
    switch condition {
    case .isNull(.field(let field)): self.init(field, .points([KeyEncoder.bytes { $0.appendNull() }]))
    case .not(.isNull(.field(let field))): self.init(field, .interval(.present))
    case .compare(.field(let field), let comparison, .constant(let value)):
      guard let kind = entity.layout.kind(of: field), let comparison = FieldComparison(kind, comparison, value) else {
        return nil
      }
      if case .equal? = comparison.operation {
        self.init(field, .points(comparison.key.map { [$0] } ?? []))
      } else {
        self.init(field, KeyInterval(comparison).map { .interval($0) } ?? .points([]))
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
      self.init(field, .interval(KeyInterval(startingWith: Array(key))), isExact: false)
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
      .floating(let comparison, _), .text(let comparison, _), .key(let comparison, _):
      comparison
    }
  }
}

extension RecordLayout {
  fileprivate func kind(of field: FieldIndex) -> FieldKind? {
    fields.indices.contains(field) ? fields[field].kind : nil
  }
}

extension KeyInterval {
  /// The keys of one field that compare so; nil when there are none.
  init?(_ comparison: FieldComparison) {
    switch comparison {
    case .never: return nil
    case .present: self = .present
    case .floating(let operation, _):
      // NaN is behind all numbers, and no comparison holds for it.
      self.init(operation, key: comparison.key, last: KeyEncoder.bytes { $0.append(Double.nan) })
    case .bool(let operation, _), .signed(let operation, _), .unsigned(let operation, _), .text(let operation, _),
      .key(let operation, _):
      self.init(operation, key: comparison.key, last: KeyInterval.present.upper)
    }
  }

  private init?(_ comparison: Comparison, key: [UInt8]?, last: [UInt8]?) {
    guard let key else { return nil }
    switch comparison {
    case .equal: self.init(startingWith: key)
    case .less: self.init(lower: KeyInterval.present.lower, upper: key)
    case .lessOrEqual: self.init(lower: KeyInterval.present.lower, upper: key.successor)
    case .greater: self.init(lower: key.successor ?? [], upper: last)
    case .greaterOrEqual: self.init(lower: key, upper: last)
    case .notEqual: return nil
    }
  }
}
