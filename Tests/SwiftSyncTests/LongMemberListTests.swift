import Testing

@testable import SwiftSync

@Suite("To-many relationships: edits of a long list copy none of its members")
struct LongMemberListTests {
  /// A list's place in memory.
  private func place(_ list: [Ticket]) -> UnsafeRawPointer? {
    list.withUnsafeBytes { $0.baseAddress }
  }

  /// Edits a list; whether that was done where it was lent. A list with another owner, who is still there, is copied to elsewhere.
  private func isInPlace(
    _ list: inout [Ticket], at expected: UnsafeRawPointer? = nil, _ edit: (inout [Ticket]) -> Void
  ) -> Bool {
    let start = place(list)
    edit(&list)
    return place(list) == start && expected ?? start == start
  }

  private let context: ModelContext
  private let project = Project(id: 1, name: "p")
  private let spares = (0..<64).map { Ticket(id: 10_000 + $0, title: "t") }

  init() throws {
    context = ModelContext(try trackerContainer())
    context.insert(project)
    project.tickets = (0..<1_000).map { Ticket(id: $0, title: "t") }
    try context.save()
  }

  /// Has room made in both copies of the list.
  private func prepare() {
    for number in 0..<2 {
      project.tickets.append(Ticket(id: 20_000 + number, title: "t"))
      project.tickets.reserveCapacity(2_000)
      project.tickets.removeLast()
    }
  }

  @Test(
    "After the first edit, with saves and without", arguments: [false, true],
    ["append", "remove last", "remove in the middle", "insert in front", "swap"])
  func inPlace(saves: Bool, edit: String) throws {
    prepare()
    // What was shown before an edit is what the next one is done in.
    var former: UnsafeRawPointer?
    for (step, spare) in spares.enumerated() {
      let shown = place(project.tickets)
      let isInPlace = isInPlace(&project.tickets, at: former) { list in
        switch edit {
        case "append": list.append(spare)
        case "remove last": list.removeLast()
        case "remove in the middle": list.remove(at: 500)
        case "insert in front": list.insert(spare, at: 0)
        default: list.swapAt(step, step + 1)
        }
      }
      #expect(isInPlace, "\(edit) \(step)")
      former = shown
      _ = project.tickets.count + (project.tickets.first?.id ?? 0)
      if saves, step.isMultiple(of: 8) { try context.save() }
    }
  }

  @Test("An object that names its owner, and changes of the other direction in between")
  func otherDirection() {
    prepare()
    for (step, spare) in spares.enumerated() {
      if step.isMultiple(of: 2) { spare.project = project }
      #expect(isInPlace(&project.tickets) { $0.append(Ticket(id: step, title: "t", project: project)) })
      if step.isMultiple(of: 3) { project.tickets[3].project = nil }
    }
    #expect(project.tickets.count == 1_000 + 64 + 32 - 22)
  }

  @Test("Deletions in between cost one look at all members each, and not one for each edit")
  func deletions() throws {
    prepare()
    context.delete(try #require(project.tickets.last))
    project.tickets.append(spares[0])
    project.tickets.append(spares[1])
    project.tickets.reserveCapacity(2_000)
    for spare in spares[2...] {
      #expect(isInPlace(&project.tickets) { $0.append(spare) })
    }
    #expect(project.tickets.count == 999 + 64)
  }

  @Test("A list that somebody holds is copied once, and stays as it was")
  func heldList() {
    prepare()
    let held = project.tickets
    for spare in spares { project.tickets.append(spare) }
    #expect(held.count == 1_000 && project.tickets.count == 1_064)
    #expect(isInPlace(&project.tickets) { $0.removeLast() })
  }

  @Test("Many at once, of which some are members already: these stay where they are")
  func many() {
    let new = (0..<200).map { Ticket(id: 30_000 + $0, title: "t") }
    let known = project.tickets
    project.tickets += known[990...] + new[..<100] + known[..<10] + new[50...]
    #expect(project.tickets.map(\.id) == Array(0..<1_000) + new.map(\.id))
    project.tickets.insert(contentsOf: new[150...] + known[500..<600], at: 5)
    #expect(
      project.tickets.map(\.id) == Array(0..<5) + Array(30_150..<30_200) + Array(500..<600) + Array(5..<500)
        + Array(600..<1_000) + Array(30_000..<30_150))
  }
}
