import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SwiftSync

/// A writer on a thread of its own gives all notes, and the project, the same number in each commit; sometimes it takes a note away or
/// adds one. Whoever sees two numbers at once sees two states of the store.
@MainActor
@Suite("12.2 What a context shows is of one state of the store", .timeLimit(.minutes(20)))
struct OneStateTests {
  enum Reader: String, CaseIterable, CustomTestStringConvertible {
    case fetches, publisher, identifiers
    var testDescription: String { rawValue }
  }

  private nonisolated static func fill(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    context.insert(Project(id: 1, name: "0"))
    for id in 1...8 { context.insert(LooseNote(id: id, text: "0")) }
    try context.save()
  }

  /// Commits until the reader has seen enough.
  private nonisolated static func write(_ container: ModelContainer, until isOver: () -> Bool) throws {
    let context = ModelContext(container)
    var number = 0
    while !isOver() {
      number += 1
      var notes = try context.fetch(FetchDescriptor<LooseNote>(sortBy: [SortDescriptor(\.id)]))
      if number % 5 == 0 { context.delete(notes.removeLast()) }
      if number % 5 == 1, notes.count < 8 { context.insert(LooseNote(id: 8, text: "\(number)")) }
      for note in notes { note.text = "\(number)" }
      for project in try context.fetch(FetchDescriptor<Project>()) { project.name = "\(number)" }
      try context.save()
    }
  }

  private func see(_ container: ModelContainer, by reader: Reader) throws {
    let context = container.mainContext
    let project = try #require(try context.fetch(FetchDescriptor<Project>()).first)
    let known = try context.fetch(FetchDescriptor<LooseNote>())
    let publisher = SyncQueryPublisher(LooseNote.self, in: SyncContainer(container))
    let identifiers = known.map(\.persistentModelID)
    var last = 0
    for _ in 0..<400 {
      switch reader {
      case .fetches: _ = try context.fetch(FetchDescriptor<LooseNote>(sortBy: [SortDescriptor(\.text)]))
      case .publisher: publisher.reload()
      case .identifiers: for identifier in identifiers { _ = context.model(for: identifier) }
      }
      // All that the context has, the rows of the publisher included, whichever of it was asked for.
      var numbers = Set(known.filter { !$0.isDeleted }.map(\.text))
      numbers.formUnion(publisher.rows.map(\.text))
      numbers.insert(project.name)
      #expect(numbers.count == 1, "\(numbers)")
      #expect(publisher.rows.allSatisfy { !$0.isDeleted } && publisher.failure == nil)
      let number = Int(project.name) ?? -1
      #expect(publisher.rows.count == (number > 0 && number % 5 == 0 ? 7 : 8), "\(number)")
      #expect(number >= last)
      last = number
    }
  }

  @Test("beside a writer of the same process", arguments: Reader.allCases, [true, false])
  func sameProcess(reader: Reader, isStoredInMemoryOnly: Bool) async throws {
    let folder = try TemporaryFolder()
    let configuration =
      isStoredInMemoryOnly
      ? ModelConfiguration(isStoredInMemoryOnly: true)
      : ModelConfiguration(url: URL(fileURLWithPath: folder["store"]), durability: .relaxed)
    let container = try ModelContainer(for: Project.self, LooseNote.self, configurations: configuration)
    try Self.fill(container)
    let isOver = Over()
    async let writing: Void = OtherThread.run { try Self.write(container) { isOver.value } }
    await OtherThread.wait { (try? container.lastHistoryToken().number ?? 0) ?? 0 > 3 }
    do {
      defer { isOver.set() }
      try see(container, by: reader)
    }
    try await writing
  }
}

private final class Over: Sendable {
  private let state = Atomic(false)
  var value: Bool { state.load(ordering: .acquiring) }
  func set() { state.store(true, ordering: .releasing) }
}
