import FoundationEssentials
import Records

/// Writes the attributes of one payload object into the record builder of its row.
struct AttributeMapping {
  let pass: SyncPass
  let owner: EntityPass
  let item: PayloadItem
  let isNew: Bool

  /// Applies every attribute whose key is present. `owner.reader` stands on the object.
  func apply() throws {
    for plan in owner.plan.attributes { try apply(plan) }
  }

  @inline(__always)
  private func apply(_ plan: AttributePlan) throws {
    var problem: (value: PayloadValue, key: KeyCandidate)?
    for candidate in plan.candidates {
      guard let value = owner.reader.value(candidate) else { continue }
      if !value.isNull, let isWhole = write(value, to: plan) {
        if !isWhole {
          note(value, candidate, cause: .partlyReadable, outcome: .storedInPart)
        }
        return
      }
      // Null under one key says more than something unreadable under another.
      if problem == nil || value.isNull { problem = (value, candidate) }
    }
    if let problem { try settle(plan, problem.value, problem.key) }
  }

  /// Converts and stores a value.
  ///
  /// - Returns: Nil if it is unreadable; otherwise whether all of it was stored.
  @inline(__always)
  private func write(_ value: PayloadValue, to plan: AttributePlan) -> Bool? {
    guard let result = Coercion.convert(value, to: plan.attribute.type) else { return nil }
    if let reader = plan.reader {
      guard let form = reader.storedForm(result.value.fieldValue(as: plan.attribute.type)) else { return nil }
      owner.builder.set(plan.attribute.field, form)
    } else {
      result.value.write(to: plan.attribute.field, of: &owner.builder)
    }
    return result.isWhole
  }

  // MARK: Null and unreadable values

  private func settle(_ plan: AttributePlan, _ value: PayloadValue, _ key: KeyCandidate) throws {
    let attribute = plan.attribute
    if value.isNull, attribute.isOptional {
      owner.builder.setNull(attribute.field)
      return
    }
    let cause: SyncReport.ReplacedValue.Cause = value.isNull ? .nullForRequired : .unreadable
    switch owner.plan.convention.unreadableValues {
    case .reject:
      throw refusal(plan, value, key)
    case .keep where !isNew:
      note(value, key, cause: cause, outcome: .kept)
    case .keep, .replace:
      if attribute.isOptional {
        owner.builder.setNull(attribute.field)
        note(value, key, cause: cause, outcome: .cleared)
      } else if (value.isNull || attribute.type == .date) && writeDefault(plan) {
        note(value, key, cause: cause, outcome: .setToDefault)
      } else {
        throw refusal(plan, value, key)
      }
    }
  }

  /// Writes what null stands for in an attribute that isn't optional; false if its type has no such value.
  private func writeDefault(_ plan: AttributePlan) -> Bool {
    let field = plan.attribute.field
    switch plan.attribute.type {
    case .bool: return owner.builder.setBool(field, false)
    case .int8, .int16, .int32, .int64: return owner.builder.setInt64(field, 0)
    case .uint8, .uint16, .uint32, .uint64: return owner.builder.setUInt64(field, 0)
    case .float: return owner.builder.setFloat(field, 0)
    case .double: return owner.builder.setDouble(field, 0)
    case .decimal: return owner.builder.setDecimal(field, 0)
    case .date: return owner.builder.setDate(field, -DateText.referenceDateOffset)
    case .uuid: return owner.builder.setUUID(field, UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .string, .data: return owner.builder.setUTF8(field, UnsafeRawBufferPointer(start: nil, count: 0))
    case .url, .composite: return plan.reader?.emptyValue.map { owner.builder.set(field, $0) } ?? false
    }
  }

  private func refusal(_ plan: AttributePlan, _ value: PayloadValue, _ key: KeyCandidate) -> SyncError {
    let what = value.isNull ? "null" : "the unreadable value \(pass.text(of: value))"
    return pass.invalid(
      owner, "\(pass.place(of: item, in: owner)) has \(what) under \(key.name) for \(plan.attribute.name)")
  }

  private func note(
    _ value: PayloadValue, _ key: KeyCandidate, cause: SyncReport.ReplacedValue.Cause,
    outcome: SyncReport.ReplacedValue.Outcome
  ) {
    pass.report.note(
      .init(
        row: item.row, entity: owner.entity.name, identity: pass.identityText(of: item, in: owner), key: key.name,
        value: pass.text(of: value), cause: cause, outcome: outcome), in: \.replacedValues)
  }
}
