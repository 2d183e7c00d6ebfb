import Foundation
import Records
import SyncEngine

@testable import SwiftSync

/// The two ways in which a payload gets into a store.
enum Road: CaseIterable, Sendable {
  /// Record by record, as a sync of mapped models goes.
  case engine
  /// Object by object, as a graph with hand-written models has to go.
  case objects
}

/// What came of a sync, by whichever road.
struct RoadOutcome: Equatable {
  /// The store afterwards, a line for each row.
  var graph: [String]
  /// The counts by entity; nil if the sync failed.
  var counts: [String: SyncReport.Counts]?
  var skippedRows: Int?
  var identities: [[String]]?
  var replacedValues: [String]?
  var ignoredReferences: [String]?
}

extension ModelContainer {
  /// Syncs a payload by a road.
  func sync<Model: SyncUpdatableModel>(
    _ json: String, as model: Model.Type, by road: Road, operations: SyncRelationshipOperations = .all,
    dryRun: Bool = false
  ) async throws -> SyncReport {
    let request = SyncRequest(
      entity: model.modelTable.name, document: try PayloadDocument(json: Data(json.utf8)), form: .collectionOrItem,
      operations: operations, isDryRun: dryRun)
    return switch road {
    case .engine: try await request.run(in: core.store, author: nil, plans: core.plans)
    case .objects: try await core.syncObjects(request, as: model, author: nil)
    }
  }

  /// Syncs a payload by a road, and describes what came of it. Links that are made and then claimed by another row of the same
  /// payload count for records, which are written one by one, and not for objects, so that they can be left out.
  func outcome<Model: SyncUpdatableModel>(
    of json: String, as model: Model.Type, by road: Road, operations: SyncRelationshipOperations = .all,
    countsLinks: Bool = true, dryRun: Bool = false
  ) async throws -> RoadOutcome {
    let report = try? await sync(json, as: model, by: road, operations: operations, dryRun: dryRun)
    return RoadOutcome(
      graph: try graph(),
      // An entity that nothing happened to is counted by one road and not by the other.
      counts: report?.entities.mapValues { counts in
        var counts = counts
        if !countsLinks { (counts.linked, counts.unlinked) = (0, 0) }
        return counts
      }.filter { $0.value.description != "no rows" }, skippedRows: report?.skippedRows.count,
      identities: report.map { report in
        report.entities.keys.sorted().compactMap { report.identities[$0] }
          .flatMap { names in
            [names.inserted, names.updated, names.deleted, names.unchanged]
              + (countsLinks ? [names.linked, names.unlinked] : [])
          }.map { $0.sorted() }
      }?.filter { !$0.isEmpty },
      replacedValues: report?.replacedValues.map {
        "\($0.pointer) \($0.entity) \($0.identity) \($0.key) \($0.value) \($0.outcome)"
      }
      .sorted(),
      ignoredReferences: report?.ignoredReferences.map {
        "\($0.pointer) \($0.entity) \($0.identity) \($0.relationship) \($0.value) \($0.reason)"
      }.sorted())
  }

  /// All rows of all models, exported, relationships as identities.
  private func graph() throws -> [String] {
    let context = ModelContext(self)
    func lines<Model: PersistentModel>(of type: Model.Type) throws -> [String] {
      try context.fetch(FetchDescriptor<Model>()).map { model in
        let values = Model.modelTable.properties.map { property in
          let value =
            if property.relationship == nil {
              "\(model._$backing.exportedField(property))"
            } else if property.relationship?.isToMany == true {
              "\(model._$backing.members(of: property).map(identity).sorted())"
            } else {
              model._$backing.destination(of: property.slot).map(identity) ?? "-"
            }
          return "\(property.name): \(value)"
        }
        return "\(Model.modelTable.name) \(values.joined(separator: ", "))"
      }
    }
    return try schema.modelTypes.flatMap { try lines(of: $0) }.sorted()
  }

  private func identity(of model: any PersistentModel) -> String {
    guard let property = type(of: model).modelTable.identity else { return "\(model.persistentModelID)" }
    return "\(model._$backing.exportedField(property))"
  }
}
