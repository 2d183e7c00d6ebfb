import Foundation
import TestSupport
import Testing

@testable import SwiftSync

/// Random edits, pulls and pushes, beside a model of what is pending that knows no history and no tables: for each identity whether it
/// is here, whether the server has it, and whether there is something to tell.
@MainActor
@Suite struct RandomPendingTests {
  private enum Knowledge { case unknown, maybe, known }

  private struct Expected {
    var isHere = false
    var server = Knowledge.unknown
    var isDirty = false
    var isParked = false
    var editCount = 0
    /// Whether the server has refused its deletion, which it is again if a row that was made anew goes without having been sent.
    var isDeletionRefused = false
    var wasSentSince = false

    var kind: SyncChangeKind? {
      guard isDirty else { return nil }
      if isHere { return server == .known ? .update : .insert }
      return server == .unknown ? nil : .delete
    }

    mutating func edit(isHere: Bool) {
      let wasHere = self.isHere
      self.isHere = isHere
      isDirty = true
      isParked = !isHere && isDeletionRefused && !wasSentSince
      if isHere, !wasHere { wasSentSince = false }
      editCount += 1
      if kind == nil { isDirty = false }
    }
  }

  private static let ids = ["a", "b", "c", "d", "e"]

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func pendingIsWhatTheModelSays(seed: UInt64) async throws {
    let container = try errandContainer()
    let context = container.mainContext
    var random = SplitMix64(seed: seed)
    var model = Dictionary(uniqueKeysWithValues: Self.ids.map { ($0, Expected()) })
    for step in 0..<150 {
      switch random.below(10) {
      case 0..<6: try edit(&model, &random, context)
      case 6: try await pull(&model, &random, container)
      default: try await push(&model, &random, container)
      }
      try check(model, context, "seed \(seed), step \(step)")
    }
  }

  @Test("Before the first push what is pending is what the history comes to", arguments: 1...8 as ClosedRange<UInt64>)
  func historyComesToTheSame(seed: UInt64) async throws {
    let container = try errandContainer()
    let context = container.mainContext
    var random = SplitMix64(seed: seed)
    var model = Dictionary(uniqueKeysWithValues: Self.ids.map { ($0, Expected()) })
    try await container.sync(
      payload: ["a", "b"].map { ["id": $0, "title": "t", "stars": 0] as [String: Any] }, as: Errand.self)
    for id in ["a", "b"] { model[id] = Expected(isHere: true, server: .known) }
    for step in 0..<40 {
      try edit(&model, &random, context)
      let history = try SwiftSync.pendingChanges(for: Errand.self, in: context, since: nil)
      let pending = try SwiftSync.pendingChanges(for: Errand.self, in: context)
      #expect(Self.lists(history) == Self.lists(pending), "seed \(seed), step \(step)")
    }
  }

  private static func lists(_ changes: SyncPendingChanges) -> [Set<String>] {
    [Set(changes.inserts), Set(changes.updates), Set(changes.deletes)]
  }

  private func edit(_ model: inout [String: Expected], _ random: inout SplitMix64, _ context: ModelContext) throws {
    guard let id = random.pick(Self.ids), let expected = model[id] else { return }
    if !expected.isHere {
      try context.addErrand(id)
      model[id]?.edit(isHere: true)
    } else if random.chance(40) {
      try context.deleteErrand(id)
      model[id]?.edit(isHere: false)
    } else {
      try context.editErrand(id) { $0.stars += 1 }
      model[id]?.edit(isHere: true)
    }
  }

  /// The server sends a row that is clean here.
  private func pull(
    _ model: inout [String: Expected], _ random: inout SplitMix64, _ container: SyncContainer
  ) async throws {
    guard let id = random.pick(Self.ids), model[id]?.isDirty == false else { return }
    try await container.sync(item: ["id": id, "title": "pulled", "stars": 0], as: Errand.self)
    model[id] = Expected(isHere: true, server: .known)
  }

  private func push(
    _ model: inout [String: Expected], _ random: inout SplitMix64, _ container: SyncContainer
  ) async throws {
    var sent: [(id: String, kind: SyncChangeKind, editCount: Int)] = []
    var outcomes: [String: SyncPushOutcome] = [:]
    do {
      try await container.push(Errand.self) { changes in
        for change in changes.changes {
          sent.append((change.id, change.kind, model[change.id]?.editCount ?? 0))
          model[change.id]?.wasSentSince = true
          if change.kind == .insert { model[change.id]?.server = .maybe }
        }
        for _ in 0..<random.below(3) { try edit(&model, &random, container.mainContext) }
        if random.chance(20) { throw ServerRefusal() }
        for change in sent where random.chance(80) { outcomes[change.id] = try outcome(of: change.id, &random) }
        return outcomes
      }
    } catch is ServerRefusal {
      return
    }
    for (id, kind, editCount) in sent {
      guard let outcome = outcomes[id], let now = model[id] else { continue }
      // A row that was made again and deleted again while its deletion was sent is as deleted as it was.
      let wasEdited = kind == .delete ? now.isHere : now.editCount != editCount
      model[id] = settled(now, kind, outcome, wasEdited: wasEdited)
    }
  }

  private func outcome(of id: String, _ random: inout SplitMix64) throws -> SyncPushOutcome {
    switch random.below(10) {
    case 0..<6: .applied
    case 6, 7: .rejected(reason: "no")
    case 8: .stale(nil)
    default: .stale(try SyncJSON(dictionary: ["id": id, "title": "theirs", "stars": 0]))
    }
  }

  private func settled(
    _ now: Expected, _ kind: SyncChangeKind, _ outcome: SyncPushOutcome, wasEdited: Bool
  ) -> Expected {
    var now = now
    switch outcome {
    case .applied:
      now.server = kind == .delete ? .unknown : .known
      now.isDirty = wasEdited
      now.isDeletionRefused = false
      if now.kind == nil { now.isDirty = false }
    case .rejected:
      now.isParked = now.isParked || !wasEdited
      if kind == .delete { now.isDeletionRefused = true }
    case .stale(let server) where !wasEdited:
      now = Expected(isHere: server != nil, server: server == nil ? .unknown : .known, editCount: now.editCount)
    case .stale: break
    }
    return now
  }

  private func check(_ model: [String: Expected], _ context: ModelContext, _ place: String) throws {
    let pending = try SwiftSync.pendingChanges(for: Errand.self, in: context)
    func ids(_ kind: SyncChangeKind) -> Set<String> {
      Set(model.filter { $0.value.kind == kind && !$0.value.isParked }.keys)
    }
    #expect(Self.lists(pending) == [ids(.insert), ids(.update), ids(.delete)], "\(place)")
    #expect(try context.core.store.read { try $0.checkInvariants() } == [], "\(place)")
  }
}
