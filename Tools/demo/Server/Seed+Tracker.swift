extension Seed {
  /// A small company's tracker: three projects, six users, twelve tasks.
  package static let tracker = Seed(
    users: ["Ada", "Grace", "Edsger", "Barbara", "Donald", "Frances"].enumerated().map {
      User(id: id(1, $0), name: $1)
    },
    projects: ["Website", "Mobile App", "Support Inbox"].enumerated().map { Project(id: id(2, $0), name: $1) },
    tasks: [
      Task(title: "Choose the fonts", project: 0, author: 0, assignee: 1, reviewers: [2, 3], watchers: [4]),
      Task(
        title: "Write the start page", project: 0, author: 0, assignee: 2, reviewers: [1], watchers: [3, 4],
        state: "inProgress", items: ["Headline", "Three reasons", "Footer"]),
      Task(title: "Make pictures smaller", project: 0, author: 1, assignee: 1, reviewers: [0], watchers: []),
      Task(title: "Answer with 404 in style", project: 0, author: 2, assignee: nil, reviewers: [], watchers: [0]),
      Task(title: "Measure loading times", project: 0, author: 3, assignee: 5, reviewers: [4, 5], watchers: [1]),
      Task(
        title: "Work without a network", project: 1, author: 4, assignee: 0, reviewers: [1, 2], watchers: [3],
        state: "inProgress", items: ["Keep edits", "Send them later", "Show what failed"]),
      Task(title: "Dark appearance", project: 1, author: 5, assignee: 3, reviewers: [0], watchers: [5]),
      Task(title: "Bigger touch areas", project: 1, author: 1, assignee: 4, reviewers: [3], watchers: [0, 1]),
      Task(title: "Start in a second", project: 1, author: 0, assignee: 2, reviewers: [5], watchers: []),
      Task(title: "The invoice lacks a date", project: 2, author: 3, assignee: 3, state: "done"),
      Task(title: "Login fails on Mondays", project: 2, author: 4, assignee: 5),
      Task(title: "Please add another currency", project: 2, author: 5, assignee: 4),
    ])
}
