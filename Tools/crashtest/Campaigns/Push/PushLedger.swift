/// What one client has promised its user, and what has become of that: what must hold whatever happens on the way.
struct PushLedger {
  /// An edit by the title that it gave; nil for a deletion.
  typealias Edit = String?

  /// Whether an edit stays as it is until the server has heard of it. Otherwise pulls may undo it, and nothing is said of edits.
  private let keepsEdits: Bool

  /// Edits that were saved, by row, the newest last. Those of which it is not known whether they were saved count as possible.
  private var edits: [RowName: [(edit: Edit, isCertain: Bool)]] = [:]
  /// Which edits the server has seen, whatever it answered.
  private var seen: [RowName: Set<Edit>] = [:]
  /// The keys under which edits were sent.
  private var keys: [RowName: [(edit: Edit, key: String)]] = [:]
  /// Keys of changes that the client has heard the answer to, and settled.
  private var settled: Set<String> = []

  init(keepsEdits: Bool) {
    self.keepsEdits = keepsEdits
  }

  mutating func saved(_ row: RowName, _ edit: Edit) { edits[row, default: []].append((edit, true)) }

  mutating func perhapsSaved(_ row: RowName, _ edit: Edit) { edits[row, default: []].append((edit, false)) }

  /// The user has given up what they wanted of a row.
  mutating func gaveUp(_ row: RowName) { edits[row] = nil }

  /// The user wants a rejected change to be sent again.
  mutating func retried(key: String) { settled.remove(key) }

  /// A change has left the client.
  mutating func sent(_ change: UploadedChange) throws {
    if settled.contains(change.key) {
      throw Finding("\(change.row) was sent again after it was settled, under the key \(change.key)")
    }
    guard keepsEdits else { return }
    let edit = change.isDeletion ? nil : change.title
    let others = keys[change.row, default: []].filter { $0.edit == edit && $0.key != change.key }
    if let other = others.first, edit != nil {
      throw Finding("\(change.row): the edit \(edit ?? "") was sent as \(other.key) and as \(change.key)")
    }
    if others.isEmpty, !keys[change.row, default: []].contains(where: { $0.key == change.key }) {
      keys[change.row, default: []].append((edit, change.key))
    }
  }

  /// A change has arrived.
  mutating func arrived(_ change: UploadedChange) {
    seen[change.row, default: []].insert(change.isDeletion ? nil : change.title)
  }

  /// The client has heard the answers to these changes, and its push has ended well.
  mutating func settled(_ changes: [UploadedChange]) {
    for change in changes { settled.insert(change.key) }
  }

  /// Looks whether what the server has not heard of is still there. `titles` has what the client's rows are called now.
  func check(titles: [RowName: String]) throws {
    guard keepsEdits else { return }
    for (row, all) in edits {
      guard let last = all.last, last.isCertain, !seen[row, default: []].contains(last.edit) else { continue }
      guard titles[row] != last.edit else { continue }
      let now = titles[row].map { "'\($0)'" } ?? "gone"
      throw Finding("\(row) is \(now), and should be \(last.edit.map { "'\($0)'" } ?? "gone") until it has been sent")
    }
  }

  /// Looks whether the server has heard of every row's last edit.
  ///
  /// - Parameters:
  ///   - isKnown: whether the server has ever carried something out on a row.
  ///   - isLive: whether it has the row now.
  /// - Throws: `Finding` for an edit that the server has never heard of.
  func check(isKnown: (RowName) -> Bool, isLive: (RowName) -> Bool) throws {
    guard keepsEdits else { return }
    for (row, all) in edits {
      guard let last = all.lastIndex(where: \.isCertain) else { continue }
      let wanted = all[last...].map(\.edit)
      let arrived = seen[row, default: []]
      if wanted.contains(where: { arrived.contains($0) }) { continue }
      if wanted.contains(nil), !isKnown(row) || !isLive(row) { continue }
      let words = wanted.map { $0 ?? "its deletion" }.joined(separator: ", ")
      throw Finding("\(row): the server has never heard of \(words)")
    }
  }
}
