import KeyValueStore

extension RecordTransaction {
  /// Adds a row, with the next row number. Its to-one relationships are linked in both directions. One that is not optional
  /// may have no destination yet; it must have one when the transaction ends.
  ///
  /// - Throws: `RecordError.missingRequiredValue` when an attribute that is not optional is null, `.recordTooLarge`. Nothing
  ///   has changed then.
  package func insert(_ builder: inout RecordBuilder, into entity: Entity) throws -> RowNumber {
    try check(builder, for: entity)
    return try changing {
      let row = try takeRow(of: entity)
      capture.noteInserted(row, entitySlot: entity.slot)
      let partners = setAside(pairingsOf: entity, in: &builder, stored: nil)
      var contentChanges: [ContentChange] = []
      try row.rawValue.withBytes { key in
        try transaction.append(
          valueByteCount: builder.encodedByteCount, for: key, in: tables.records[entity.slot]
        ) { buffer in
          builder.encode(into: buffer, entity: entity.id, row: row)
          let record = RecordView(UnsafeRawBufferPointer(buffer), entity.layout)
          for index in entity.indexes { indexBuffers[index.slot].add(record, row: row, to: index) }
          contentChanges = self.contentChanges(from: nil, to: record, of: entity)
        }
      }
      try apply(contentChanges, with: builder.contents, to: row, of: entity)
      for direction in entity.references {
        if let field = direction.field, let target = builder.row(field) {
          try link(row, to: target, through: direction)
        }
      }
      putBack(partners, in: &builder)
      for direction in entity.requiredDirections {
        if let field = direction.field, builder.isNull(field) { constraints.noteVacancy(of: row, in: direction) }
      }
      for partner in partners { try setPartner(partner.row, of: row, in: partner.direction) }
      return row
    }
  }

  /// Replaces a row's record. Indexes and links follow what differs.
  ///
  /// - Returns: The properties that changed, or nil when the record was the same, in which case nothing was written.
  /// - Throws: `RecordError.noSuchRow`, `.missingRequiredValue`, `.recordTooLarge`, `.damagedRecord` for the stored record.
  ///   Nothing has changed then.
  package func update(
    _ row: RowNumber, of entity: Entity, with builder: inout RecordBuilder
  ) throws -> PropertySet? {
    try check(builder, for: entity)
    var partners: [Partner] = []
    let replaced = try withRecord(row, of: entity) { old in
      try changing {
        partners = setAside(pairingsOf: entity, in: &builder, stored: old)
        defer { putBack(partners, in: &builder) }
        let contents = builder.contents
        return try builder.withEncoding { try replace(old, with: $0, contents, row: row, of: entity) }
      }
    }
    guard var changed = replaced else { throw RecordError.noSuchRow(entity: entity.name, row: row) }
    try changing {
      for partner in partners {
        if let property = partner.direction.propertyIndex { changed.insert(property) }
        try setPartner(partner.row, of: row, in: partner.direction)
      }
    }
    return changed.isEmpty ? nil : changed
  }

  /// Writes the new record, unless it is the old one, and buffers what follows from the difference.
  private func replace(
    _ old: RecordView, with record: UnsafeMutableRawBufferPointer, _ contents: [FieldIndex: LargeContent],
    row: RowNumber, of entity: Entity
  ) throws -> PropertySet {
    let new = RecordView(UnsafeRawBufferPointer(record), entity.layout)
    var changed = PropertySet()
    if old.payload.hasSameBytes(as: new.payload) { return changed }
    for field in entity.layout.fields.indices where !new.hasSameContent(field, as: old) {
      changed.insert(entity.propertyOfField[field])
    }
    for index in entity.indexes where index.attributes.contains(where: { changed.contains($0.propertyIndex) }) {
      indexBuffers[index.slot].replace(old, with: new, row: row, in: index)
    }
    for direction in entity.references {
      guard let field = direction.field, let property = direction.propertyIndex, changed.contains(property) else {
        continue
      }
      if let target = old.row(field) { unlink(row, from: target, through: direction) }
      if let target = new.row(field) {
        try link(row, to: target, through: direction)
      } else if direction.isRequired {
        constraints.noteVacancy(of: row, in: direction)
      }
    }
    let contentChanges = contentChanges(from: old, to: new, of: entity)
    keepBase(old, row: row, of: entity)
    RecordChecksum.write(to: record, entity: entity.id, row: row)
    // From here on the old record's bytes are gone.
    try row.rawValue.withBytes { try transaction.put(new.bytes, for: $0, in: tables.records[entity.slot]) }
    try apply(contentChanges, with: contents, to: row, of: entity)
    capture.noteUpdated(row, properties: changed, entitySlot: entity.slot)
    return changed
  }

  /// Sets a to-one field of a stored record and notes the change, and the cause where the field must not stay null.
  func setField(
    of direction: LinkDirection, row: RowNumber, to target: RowNumber?, cause: DeferredConstraints.Cause = .unlinking
  ) throws {
    let entity = catalog.entities[direction.entitySlot]
    guard let field = direction.field else { return }
    let stored = try withRecord(row, of: entity) { record in
      keepBase(record, row: row, of: entity)
      return [UInt8](record.bytes)
    }
    guard var bytes = stored else {
      throw RecordError.noSuchRow(entity: entity.name, row: row)
    }
    RecordPatch.setRow(target, field: field, in: &bytes, layout: entity.layout, entity: entity.id, row: row)
    try bytes.withUnsafeBytes { value in
      try row.rawValue.withBytes { try transaction.put(value, for: $0, in: tables.records[entity.slot]) }
    }
    capture.noteUpdated(row, property: direction.propertyIndex, entitySlot: direction.entitySlot)
    if target == nil, direction.isRequired { constraints.noteVacancy(of: row, in: direction, cause) }
  }

  private func check(_ builder: borrowing RecordBuilder, for entity: Entity) throws {
    if builder.lacks(entity.requiredPresence) {
      var missing: Attribute?
      for attribute in entity.attributes where !attribute.isOptional && builder.isNull(attribute.field) {
        missing = missing ?? attribute
      }
      throw RecordError.missingRequiredValue(entity: entity.name, attribute: missing?.name ?? "")
    }
    var byteCount = builder.encodedByteCount
    for content in builder.contents.values { byteCount = max(byteCount, content.byteCount) }
    guard byteCount <= RecordLayout.recordByteCountMax else {
      throw RecordError.recordTooLarge(
        entity: entity.name, byteCount: byteCount, byteCountMax: RecordLayout.recordByteCountMax)
    }
  }
}
