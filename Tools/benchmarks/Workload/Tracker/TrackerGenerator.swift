import Foundation

/// Makes the tracker's rows, and what becomes of them: for n tasks n / 50 users and n / 100 projects.
///
/// Everything follows from the number of tasks, so every peer and every run gets the same rows. Identities are random, so
/// rows come in no order, as from a server that sorts by anything else.
struct TrackerGenerator {
  private var numbers = PseudoRandom(seed: 0x7AC7)

  mutating func rows(taskCount: Int) -> TrackerRows {
    let users = (0..<max(1, taskCount / 50)).map { _ in user(updatedAt: numbers.below(TrackerTime.span)) }
    let projects = (0..<max(1, taskCount / 100)).map { _ in project(updatedAt: numbers.below(TrackerTime.span)) }
    var rows = TrackerRows(users: users, projects: projects, tasks: [])
    rows.tasks.reserveCapacity(taskCount)
    for _ in 0..<taskCount { rows.tasks.append(task(of: projects, for: users, from: 0)) }
    return rows
  }

  /// The next payload: one percent of all rows changed, one percent new, and one percent of the tasks gone.
  mutating func successor(of rows: TrackerRows) -> TrackerRows {
    var next = rows
    for index in picks(share(of: rows.users.count), of: rows.users.count) {
      next.users[index].displayName += " II"
      next.users[index].updatedAt = TrackerTime.afterwards
    }
    for index in picks(share(of: rows.projects.count), of: rows.projects.count) {
      next.projects[index].name += " II"
      next.projects[index].updatedAt = TrackerTime.afterwards
    }
    for _ in 0..<share(of: rows.users.count) { next.users.append(user(updatedAt: TrackerTime.afterwards)) }
    for _ in 0..<share(of: rows.projects.count) { next.projects.append(project(updatedAt: TrackerTime.afterwards)) }

    let (projects, users) = (next.projects, next.users)
    let count = share(of: rows.tasks.count)
    let touched = picks(min(rows.tasks.count, 2 * count), of: rows.tasks.count)
    for (number, index) in touched.prefix(count).enumerated() { change(&next.tasks[index], number: number, for: users) }
    let gone = Set(touched.dropFirst(count))
    next.tasks = next.tasks.indices.filter { !gone.contains($0) }.map { next.tasks[$0] }
    for _ in 0..<count {
      next.tasks.append(task(of: projects, for: users, from: TrackerTime.span / 2))
      next.tasks.swapAt(numbers.below(next.tasks.count), next.tasks.count - 1)
    }
    return next
  }

  /// Single rows to be stored one after the other: nine in ten change a task, the tenth is new. No task comes twice, as far
  /// as there are enough of them.
  mutating func upserts(_ count: Int, of rows: TrackerRows) -> [TrackerRows.Task] {
    let known = picks(min(rows.tasks.count, count), of: rows.tasks.count)
    return (0..<count).map { number in
      if number % 10 == 9 { return task(of: rows.projects, for: rows.users, from: 0) }
      var task = rows.tasks[known[number % known.count]]
      change(&task, number: number, for: rows.users)
      return task
    }
  }

  /// So many different positions below a count, in random order.
  mutating func picks(_ count: Int, of total: Int) -> [Int] {
    var positions = Array(0..<total)
    for index in 0..<count { positions.swapAt(index, index + numbers.below(total - index)) }
    return Array(positions.prefix(count))
  }

  /// Positions below a count, some more than once.
  mutating func draws(_ count: Int, of total: Int) -> [Int] {
    (0..<count).map { _ in numbers.below(total) }
  }

  private func share(of count: Int) -> Int { max(1, count / 100) }

  private mutating func user(updatedAt: Int) -> TrackerRows.User {
    let (first, last) = (numbers.element(of: TrackerText.firstNames), numbers.element(of: TrackerText.lastNames))
    let id = UUID(&numbers)
    return TrackerRows.User(
      id: id, displayName: "\(first) \(last)", email: "\(id.uuidString.prefix(8).lowercased())@example.com",
      updatedAt: updatedAt)
  }

  private mutating func project(updatedAt: Int) -> TrackerRows.Project {
    TrackerRows.Project(
      id: UUID(&numbers), name: TrackerText.sentence(bytes: 10...30, oddPercent: 6, &numbers), updatedAt: updatedAt)
  }

  private mutating func task(
    of projects: [TrackerRows.Project], for users: [TrackerRows.User], from earliest: Int
  ) -> TrackerRows.Task {
    let createdAt = earliest + numbers.below(TrackerTime.span - earliest)
    return TrackerRows.Task(
      id: UUID(&numbers), title: TrackerText.sentence(bytes: 24...54, oddPercent: 6, &numbers),
      description: numbers.isTrue(percent: 15)
        ? nil : TrackerText.sentence(bytes: 120...278, oddPercent: 20, &numbers),
      state: numbers.element(of: TrackerText.states), priority: numbers.below(5), createdAt: createdAt,
      updatedAt: createdAt + numbers.below(TrackerTime.span + 86_400 - createdAt),
      project: numbers.element(of: projects).id,
      assignee: numbers.isTrue(percent: 20) ? nil : numbers.element(of: users).id,
      reviewers: people(upTo: 3, of: users), watchers: people(upTo: 5, of: users))
  }

  private mutating func change(_ task: inout TrackerRows.Task, number: Int, for users: [TrackerRows.User]) {
    task.title = TrackerText.sentence(bytes: 24...54, oddPercent: 6, &numbers)
    task.state = numbers.element(of: TrackerText.states.filter { $0 != task.state })
    task.priority = (task.priority + 1 + numbers.below(4)) % 5
    task.updatedAt = TrackerTime.afterwards + number
    if number.isMultiple(of: 2) { task.watchers = people(upTo: 5, of: users) }
  }

  /// Different users, at most so many.
  private mutating func people(upTo most: Int, of users: [TrackerRows.User]) -> [UUID] {
    let count = min(numbers.below(most + 1), users.count)
    var chosen: [UUID] = []
    while chosen.count < count {
      let user = numbers.element(of: users).id
      if !chosen.contains(user) { chosen.append(user) }
    }
    return chosen
  }
}
