import CInterpose

/// The files of a store's folder, on the medium and in the system's cache, as a recording goes on.
///
/// It assumes of the medium what docs/recovery.md does, and nothing better.
struct Medium: Sendable {
  /// A change of the folder that may not have reached the medium.
  enum NameChange: Sendable {
    case link(String, file: Int)
    case unlink(String)
    case rename(String, to: String, file: Int)
  }

  private(set) var files: [StoredFile] = []
  private(set) var durableNames: [String: Int] = [:]
  private(set) var pendingNames: [(event: Int, change: NameChange)] = []
  /// The names as they are in the cache.
  private(set) var names: [String: Int] = [:]
  /// What openings stand for: a file, or nil for the folder.
  private var handles: [UInt32: Int?] = [:]

  /// An empty folder.
  init() {}

  /// A folder whose files are all on the medium.
  init(_ image: CrashImage) {
    for (name, bytes) in image.files.sorted(by: { $0.key < $1.key }) {
      durableNames[name] = files.count
      files.append(StoredFile(bytes))
    }
    names = durableNames
  }

  /// The state that an event leaves, whose number in its recording is `number`.
  mutating func apply(_ event: interpose_event, number: Int, of recording: Recording) throws {
    switch Int(event.kind) {
    case interpose_event_opened:
      try open(recording.text(of: event), event, number)
    case interpose_event_written:
      let file = try file(of: event)
      files[file].write(event.bytes, of: recording, at: Int(event.offset), event: number)
    case interpose_event_range_synced:
      files[try file(of: event)].syncLastWrite(event: number - 1)
    case interpose_event_resized:
      files[try file(of: event)].resize(to: Int(event.offset), event: number)
    case interpose_event_synced:
      if let file = try opening(event) { files[file].sync(before: Int(event.start)) } else { syncNames(event) }
    case interpose_event_sync_failed:
      if let file = try opening(event) { files[file].failSync(before: Int(event.start)) }
    case interpose_event_renamed:
      let names = recording.text(of: event).split(separator: "/").map(String.init)
      try rename(names[0], to: names[1], number)
    case interpose_event_removed:
      let name = recording.text(of: event)
      names[name] = nil
      pendingNames.append((number, .unlink(name)))
    default:
      break
    }
  }

  private mutating func open(_ name: String, _ event: interpose_event, _ number: Int) throws {
    if name.isEmpty {
      handles.updateValue(nil, forKey: event.handle)
      return
    }
    let creates = event.flags & 1 != 0
    let truncates = event.flags & 2 != 0
    if names[name] == nil {
      guard creates else { throw HarnessError("'\(name)' was opened, but nobody had created it") }
      names[name] = files.count
      pendingNames.append((number, .link(name, file: files.count)))
      files.append(StoredFile())
    }
    guard let file = names[name] else { return }
    handles.updateValue(file, forKey: event.handle)
    if truncates { files[file].resize(to: 0, event: number) }
  }

  private func opening(_ event: interpose_event) throws -> Int? {
    guard let opening = handles[event.handle] else { throw HarnessError("an unknown file was used") }
    return opening
  }

  private func file(of event: interpose_event) throws -> Int {
    guard let file = try opening(event) else { throw HarnessError("a folder was written to") }
    return file
  }

  private mutating func rename(_ name: String, to newName: String, _ number: Int) throws {
    guard let file = names.removeValue(forKey: name) else { throw HarnessError("'\(name)' was renamed, but is absent") }
    names[newName] = file
    pendingNames.append((number, .rename(name, to: newName, file: file)))
  }

  private mutating func syncNames(_ event: interpose_event) {
    let start = Int(event.start)
    for (number, change) in pendingNames where number < start { change.apply(to: &durableNames) }
    pendingNames.removeAll { $0.event < start }
  }

  /// The process has died and another recording begins: what is pending is older than all of it, and nothing is open.
  mutating func beginRecording() {
    for index in files.indices { files[index].beginRecording() }
    for index in pendingNames.indices { pendingNames[index].event = -1 }
    handles = [:]
  }
}

extension Medium.NameChange {
  func apply(to names: inout [String: Int]) {
    switch self {
    case .link(let name, let file): names[name] = file
    case .unlink(let name): names[name] = nil
    case .rename(let name, let newName, let file):
      // A rename is one step, so the old name is gone when the new one is there.
      if names[name] == file { names[name] = nil }
      names[newName] = file
    }
  }
}
