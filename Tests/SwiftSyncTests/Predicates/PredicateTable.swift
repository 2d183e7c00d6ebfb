import Foundation
import SwiftSync

/// Predicates of every form that `#Predicate` accepts, over specimens.
struct PredicateTable {
  struct Row: CustomStringConvertible {
    let predicate: Predicate<Specimen>
    let description: String
  }

  private(set) var rows: [Row] = []

  /// The whole table, with identifiers of objects of the context.
  init(_ context: ModelContext) throws {
    let owners = try context.fetch(FetchDescriptor<SpecimenOwner>(sortBy: [SortDescriptor(\.age)]))
    let specimens = try context.fetch(FetchDescriptor<Specimen>(sortBy: [SortDescriptor(\.id)]))
    let group = try context.fetch(FetchDescriptor<SpecimenGroup>(sortBy: [SortDescriptor(\.title)]))[1]
    let label = try context.fetch(FetchDescriptor<SpecimenLabel>(sortBy: [SortDescriptor(\.rank)]))[2]
    addNumbers()
    addTexts()
    addOptionals()
    addDates()
    addLogic()
    addCollections()
    addRelationships(
      owner: owners[0].persistentModelID, other: owners[3].persistentModelID, specimen: specimens[1].persistentModelID,
      specimens: specimens[3...9].map(\.persistentModelID), group: group.persistentModelID,
      label: label.persistentModelID)
  }

  /// Each line is a statement of its own, since the compiler would take ages for a literal of so many.
  mutating func add(_ predicate: Predicate<Specimen>, line: Int = #line, file: String = #fileID) {
    rows.append(Row(predicate: predicate, description: "\(file):\(line)"))
  }
}
