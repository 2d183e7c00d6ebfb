/// Why the demo ends early.
enum DemoError: Error, CustomStringConvertible {
  /// The words on its command line are others than it knows.
  case usage
  /// A payload's file is not what it should be.
  case noArray(file: String)

  var description: String {
    switch self {
    case .usage: "usage: demo payloads PAYLOADS STORE | serve STORE"
    case .noArray(let file): "\(file) is not an array"
    }
  }
}
