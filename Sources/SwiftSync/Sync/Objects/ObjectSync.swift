import Foundation
import Records
import SyncEngine

/// A sync of model objects in a context (contract, sections 7 to 9), for graphs with hand-written models in them. Graphs of mapped
/// models alone are synced record by record, which comes to the same and is much quicker.
///
/// 1. Every payload row is matched with an object, which is made or changed: attributes only.
/// 2. Row by row, relationships are applied, and level by level those of the objects that rows nest. So a row may refer to one
///    that comes later.
/// 3. What is still open is settled: references to rows that came later, and lists whose members were taken by somebody else.
/// 4. Objects that the payload doesn't list are deleted, and all is saved at once.
///
/// It stops if the task is cancelled, between rows and before and after everything that may suspend.
struct ObjectSync<Model: SyncUpdatableModel> {
  private let context: ModelContext
  private let request: ObjectSyncRequest
  private let pass: ObjectPass

  /// A sync that changes the objects of a context. What is unsaved there is saved along.
  init(_ request: ObjectSyncRequest, of type: Model.Type, in context: ModelContext) {
    self.context = context
    self.request = request
    pass = ObjectPass(
      in: context, keyStyle: request.convention.keyStyle, operations: request.operations,
      policy: request.convention.unreadableValues, isCollection: request.isCollection, pointer: request.pointer)
  }

  /// Runs the sync.
  ///
  /// - Returns: what was done.
  /// - Throws: `SyncError.invalidPayload`, `SyncError.cancelled`, whatever the models throw, and what a save throws. The edits of
  ///   the sync are undone then; what was unsaved before is as it was.
  func run(isolation: isolated (any Actor)? = #isolation) async throws -> SyncReport {
    try checkCancellation()
    let checkpoint = EditCheckpoint(of: context)
    defer { pass.end() }
    do {
      try await runUndoably(isolation: isolation)
      return pass.report
    } catch is Rehearsal {
      checkpoint.restore()
      return pass.report
    } catch {
      checkpoint.restore()
      throw error is CancellationError ? SyncError.cancelled : error
    }
  }

  private func runUndoably(isolation: isolated (any Actor)?) async throws {
    let payloads = request.rows.enumerated().map { position, row in
      SyncPayload(values: row, keyStyle: pass.keyStyle, place: PayloadPlace(pass: pass, row: position))
    }
    if !request.isCollection, let item = payloads.first, pass.directory(Model.self).identity(in: item) == nil {
      // Before anything is asked about a parent (contract, section 9).
      pass.named(item, Model.self, nil).place?.noteSkipped()
      return pass.count(ObjectPass.Written(), in: context.core, Model.modelTable.name)
    }
    let scope = try request.parent.map { try ObjectScope<Model>($0, in: context) }
    var matching = try request.hooks.measure(.resolve) {
      try ObjectMatching<Model>(pass, isCollection: request.isCollection, scope: scope)
    }
    let rows = try request.hooks.measure(.map) { try take(payloads, &matching) }
    let start = ContinuousClock.now
    try await applyRelationships(of: rows, isolation: isolation)
    try checkCancellation()
    _ = try pass.finishLinks()
    if let scope { for row in rows where !row.isKept { scope.hold(row.model, in: pass) } }
    request.hooks.phase?(.link, start.duration(to: .now))
    try request.hooks.measure(.delete) { try deleteMissing(matching.candidates) }
    try checkRequiredLinks()
    try checkCancellation()
    try request.hooks.measure(.commit) { try save() }
  }

  private func checkCancellation() throws {
    if Task.isCancelled { throw SyncError.cancelled }
  }

  // MARK: Steps

  /// - Throws: `SyncError.invalidPayload` if there are rows but none has an identity: then the payload isn't what it is said to
  ///   be, and taking it for an empty one would delete everything.
  private func take(
    _ payloads: [SyncPayload], _ matching: inout ObjectMatching<Model>
  ) throws -> [ObjectMatching<Model>.Row] {
    var rows: [ObjectMatching<Model>.Row] = []
    rows.reserveCapacity(payloads.count)
    let step = max(1, payloads.count / 100)
    for (position, payload) in payloads.enumerated() {
      try checkCancellation()
      if let row = try matching.take(payload) { rows.append(row) }
      if (position + 1).isMultiple(of: step) || position + 1 == payloads.count {
        request.hooks.progress?(SyncProgress(completedRows: position + 1, totalRows: payloads.count))
      }
    }
    if rows.isEmpty, !payloads.isEmpty, !matching.hasDeletedRows {
      let keys = pass.directory(Model.self).identityKeys(in: pass.keyStyle).joined(separator: ", ")
      throw SyncError.invalidPayload(
        model: Model.modelTable.name,
        reason: "none of the \(payloads.count) rows has an identity (looked for under \(keys))")
    }
    return rows
  }

  private func applyRelationships(
    of rows: [ObjectMatching<Model>.Row], isolation: isolated (any Actor)?
  ) async throws {
    for row in rows where !row.isKept && pass.operations.includesRelationships(ofNewRow: row.isNew) {
      try await applyRelationships(of: row.model, row.payload, isolation: isolation)
      var nested = pass.takeNested()
      while !nested.isEmpty {
        for object in nested { try await applyRelationships(of: object.model, object.payload, isolation: isolation) }
        nested = pass.takeNested()
      }
    }
  }

  private func applyRelationships<Owner: SyncUpdatableModel>(
    of owner: Owner, _ payload: SyncPayload, isolation: isolated (any Actor)?
  ) async throws {
    try checkCancellation()
    let changesBefore = pass.changeCount
    let isChanged = try await owner.applyRelationships(
      payload, in: context, operations: pass.operations, isolation: isolation)
    // The relationship helpers have said whose links they changed; code that works without them has not.
    if isChanged, pass.changeCount == changesBefore { pass.noteChange(of: owner) }
    try checkCancellation()
  }

  /// Deletes the objects that no row means. One that is only mentioned inside of a row is meant too: the payload shows that it
  /// exists.
  private func deleteMissing(_ candidates: [Model]) throws {
    if request.missing == .keep { return }
    let isCandidate = try conditionMatches()
    for model in candidates where !pass.hasVisited(model) && !model.isDeleted && isCandidate(model) {
      try checkCancellation()
      if try pass.isDirty(model) || pass.hasDirtyRows(below: model) { continue }
      context.delete(model)
      pass.report.name(pass.identityText(of: model), of: Model.modelTable.name, in: \.deleted)
    }
  }

  /// Which stored objects the request's condition is true of.
  private func conditionMatches() throws -> (Model) -> Bool {
    if case .always = request.condition { return { _ in true } }
    let entity = try context.core.binding(of: Model.self).entity
    let rows = Set(
      try context.read { try $0.rows($0.plan(RecordQuery(entity, where: request.condition))) })
    return { model in model._$backing.storedRow.map { rows.contains($0) } ?? false }
  }

  /// - Throws: `SyncError.invalidPayload` if a new object lacks a link that its model requires.
  private func checkRequiredLinks() throws {
    for visit in pass.visited where visit.isNew && !visit.model.isDeleted {
      let table = type(of: visit.model).modelTable
      for property in table.properties {
        guard let relationship = property.relationship, !relationship.isToMany, !relationship.isOptional else {
          continue
        }
        visit.model._$backing.connectInitialRelationships(of: visit.model)
        if visit.model._$backing.destination(of: property.slot) == nil {
          throw SyncError.invalidPayload(
            model: table.name,
            reason: "the row \(pass.identityText(of: visit.model)) is new and leads nowhere as \(property.name)")
        }
      }
    }
  }

  private func save() throws {
    pass.report.setDryRun(request.isDryRun)
    if request.isDryRun {
      let save = try context.rehearseSave()
      pass.count(
        ObjectPass.Written(changes: save.changes.entities, cascaded: save.cascaded, rows: save.rows), in: context.core,
        Model.modelTable.name)
      throw Rehearsal()
    }
    var written = ObjectPass.Written()
    let observer = context.onSave
    context.onSave = { written = ObjectPass.Written(changes: $0.entities, cascaded: $1) }
    defer { context.onSave = observer }
    try context.save(durability: nil, noting: request.noting)
    pass.count(written, in: context.core, Model.modelTable.name)
  }
}

/// Ends a dry run, so that its edits are undone.
private struct Rehearsal: Error {}
