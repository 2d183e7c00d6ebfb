import Records

/// Writes the attributes of one payload object into the record builder of its row.
struct AttributeMapping {
  let pass: SyncPass
  let owner: EntityPass
  let item: PayloadItem
  let isNew: Bool
  let values: RowValues

  /// Applies every attribute whose key is present.
  func apply() throws {
    for plan in owner.plan.attributes { try apply(plan) }
  }

  @inline(__always)
  private func apply(_ plan: AttributePlan) throws {
    var problem: (value: PayloadValue, key: KeyCandidate)?
    for candidate in plan.candidates {
      guard let value = values.value(candidate) else { continue }
      if !value.isNull, let isWhole = write(value, to: plan) {
        if !isWhole, plan.attribute.type == .composite {
          pass.noteRepeatedKey(of: value, in: item, owner)
        } else if !isWhole {
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
    if let reader = plan.reader {
      guard let result = reader.read(value, as: plan.attribute.type) else { return nil }
      owner.builder.set(plan.attribute.field, result.field)
      return result.isWhole
    }
    guard let result = Coercion.convert(value, to: plan.attribute.type) else { return nil }
    result.value.write(to: plan.attribute.field, of: &owner.builder)
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
    case .keep where !isNew || plan.initialValue != nil:
      note(value, key, cause: cause, outcome: .kept)
    case .keep, .replace:
      if attribute.isOptional {
        owner.builder.setNull(attribute.field)
        note(value, key, cause: cause, outcome: .cleared)
      } else if writeStandIn(plan, for: value) {
        note(value, key, cause: cause, outcome: .setToDefault)
      } else {
        throw refusal(plan, value, key)
      }
    }
  }

  /// Writes what stands for a value in an attribute that isn't optional; false if there is no such value.
  private func writeStandIn(_ plan: AttributePlan, for payloadValue: PayloadValue) -> Bool {
    var value = plan.initialValue
    if case .defaultOfType = plan.standIn {
      guard payloadValue.isNull || plan.attribute.type == .date else { return false }
      value = plan.attribute.type.valueForNull
      if let reader = plan.reader {
        // An enum may not have the type's default, and a `Codable` type may have one where its stored type has none.
        value = reader.emptyValue ?? value.flatMap(reader.storedForm)
      }
    }
    return value.map { owner.builder.set(plan.attribute.field, $0) } ?? false
  }

  private func refusal(_ plan: AttributePlan, _ value: PayloadValue, _ key: KeyCandidate) -> SyncError {
    let what = value.isNull ? "null" : "the unreadable value \(pass.text(of: value))"
    return pass.invalid(
      owner, "\(pass.place(of: item, in: owner)) has \(what) under \(key.name) for \(plan.name)")
  }

  private func note(
    _ value: PayloadValue, _ key: KeyCandidate, cause: SyncReport.ReplacedValue.Cause,
    outcome: SyncReport.ReplacedValue.Outcome
  ) {
    pass.report.note(
      .init(
        row: item.row, pointer: pass.pointer(toRow: item.row, node: value.index), entity: owner.name,
        identity: pass.identityText(of: item, in: owner), key: key.name, value: pass.text(of: value), cause: cause,
        outcome: outcome), in: \.replacedValues)
  }
}
