import Glibc

/// What a descriptor leads to, and what may be written there for eyes only.
struct Terminal {
  let descriptor: Int32

  /// Whether somebody sees what is written, as it is written, on something that can move its cursor.
  var isThere: Bool { isatty(descriptor) != 0 && Terminal.variable("TERM") != "dumb" }

  /// Whether it may have colours: whoever sets `NO_COLOR` wants none.
  var hasColours: Bool { isThere && (Terminal.variable("NO_COLOR") ?? "").isEmpty }

  /// How many characters a line has.
  var columnCount: Int {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// How a line is shown where there are colours.
enum TextStyle: String {
  case heading = "1"
  case good = "32"
  case bad = "31"

  /// The text in this style.
  func applied(to text: String) -> String { "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" }
}
