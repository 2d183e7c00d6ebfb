import Glibc

/// What the tool says to whoever runs it: one line a message, on standard error, with the tool's name in front.
enum Messages {
  static func write(_ message: some CustomStringConvertible, to descriptor: Int32) {
    // A path or a name may contain anything, and a message stays one line whatever it is about.
    let line = String(message.description.map { $0.isNewline ? " " : $0 })
    let name = Terminal(descriptor: descriptor).hasColours ? TextStyle.bad.applied(to: "swiftsync:") : "swiftsync:"
    var text = "\(name) \(TerminalText.escaped(line))\n"
    // Where messages cannot be written there is nobody to tell.
    _ = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
