/// Why the demo ends early.
enum DemoError: Error, CustomStringConvertible {
  /// The words on its command line are others than it knows.
  case usage
  /// A payload's file is not what it should be.
  case noArray(file: String)
  /// The server has not said where it listens.
  case serverSilent
  /// Something is not so that the story says it is.
  case unexpected(String)

  var description: String {
    switch self {
    case .usage: "usage: demo payloads PAYLOADS STORE | offline FOLDER | serve STORE"
    case .noArray(let file): "\(file) is not an array"
    case .serverSilent: "the server did not start"
    case .unexpected(let sentence): "this does not hold: \(sentence)"
    }
  }
}
