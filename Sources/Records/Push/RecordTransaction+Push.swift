import KeyValueStore

/// Changing single parts of what is kept of a dirty row.
extension RecordTransaction {
  func put(_ entry: PushEntry, of entity: Entity) throws {
    try put(entry.sealed(for: entity), for: PushKey(.entry, of: entry.row, entity.id))
  }

  func put(_ base: PushBase, of row: RowNumber, _ entity: Entity) throws {
    let key = PushKey(.base, of: row, entity.id)
    try put(base.sealed(under: key.bytes), for: key)
  }

  func put(_ refusal: PushRefusal, of row: RowNumber, _ entity: Entity) throws {
    let key = PushKey(.refusal, of: row, entity.id)
    var writer = CompactWriter()
    refusal.write(to: &writer)
    try put(SealedValue.seal(writer.bytes, under: key.bytes), for: key)
  }

  private func put(_ value: [UInt8], for key: PushKey) throws {
    guard let table = tables.push else { return }
    try transaction.put(value, for: key.bytes, in: table)
  }

  func removePushPart(_ part: PushKey.Part, of row: RowNumber, _ entity: Entity) throws {
    guard let table = tables.push else { return }
    _ = try transaction.delete(PushKey(part, of: row, entity.id).bytes, in: table)
  }

  /// Makes a row clean.
  func removePushEntry(_ entry: PushEntry, of entity: Entity) throws {
    try removePushPart(.entry, of: entry.row, entity)
    if entry.hasBase { try removePushPart(.base, of: entry.row, entity) }
    if entry.hasRefusal { try removePushPart(.refusal, of: entry.row, entity) }
  }
}

extension PushEntry {
  func sealed(for entity: Entity) -> [UInt8] {
    var writer = CompactWriter()
    write(to: &writer, entity.propertyNumbers)
    return SealedValue.seal(writer.bytes, under: PushKey(.entry, of: row, entity.id).bytes)
  }
}

extension PushBase {
  func sealed(under key: [UInt8]) -> [UInt8] {
    var writer = CompactWriter()
    write(to: &writer)
    return SealedValue.seal(writer.bytes, under: key)
  }
}
