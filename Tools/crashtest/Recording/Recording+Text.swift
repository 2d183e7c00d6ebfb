import CInterpose

extension Recording {
  /// The last events before a point, one a line.
  func text(before point: Int, count: Int = 60) -> String {
    var names: [UInt32: String] = [:]
    var lines: [String] = []
    for (number, event) in events.prefix(point).enumerated() {
      if event.is(interpose_event_opened) { names[event.handle] = text(of: event) }
      if number >= point - count { lines.append("\(number) \(line(event, names[event.handle] ?? "?"))") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ event: interpose_event, _ name: String) -> String {
    if let mark = Mark(event) { return "mark \(mark.kind) lane \(mark.lane) commit \(mark.commit) hash \(mark.hash)" }
    return switch Int(event.kind) {
    case interpose_event_opened: "open \(name)"
    case interpose_event_written: "write \(name) \(event.offset) \(event.count) bytes"
    case interpose_event_resized: "resize \(name) \(event.offset)"
    case interpose_event_synced: "sync \(name) begun at \(event.start)"
    case interpose_event_sync_failed: "failed sync \(name) begun at \(event.start)"
    case interpose_event_range_synced: "synced write \(name) \(event.offset)"
    case interpose_event_renamed: "rename \(text(of: event))"
    default: "remove \(text(of: event))"
    }
  }
}
