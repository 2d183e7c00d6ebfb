import Records
import Sync

/// Why a request of the page is not answered.
enum BrowseError: Error, Equatable {
  case noSuchPage
  case wrongMethod
  case readOnly
  case notJSON
  case busy
  case argumentMissing(String)
  case argumentUnreadable(String, expectation: String)
  case argumentTooLong(String)
  case valueUnreadable(attribute: String, type: String)

  var status: Int {
    switch self {
    case .noSuchPage: 404
    case .wrongMethod: 405
    case .readOnly: 403
    case .notJSON: 415
    case .busy: 503
    case .argumentTooLong: 414
    case .argumentMissing, .argumentUnreadable, .valueUnreadable: 400
    }
  }
}

extension BrowseError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noSuchPage: "There is nothing here."
    case .wrongMethod: "This is not what can be done with it."
    case .readOnly: "The page is for reading only; start the tool with --write."
    case .notJSON: "The body is to be JSON, and to say so."
    case .busy: "Too many pages wait for changes."
    case .argumentMissing(let name): "The argument '\(name)' is missing."
    case .argumentUnreadable(let name, let expectation): "The argument '\(name)' is to be \(expectation)."
    case .argumentTooLong(let name): "The argument '\(name)' is too long."
    case .valueUnreadable(let attribute, let type): "\(attribute) can't be that: it is of the type \(type)."
    }
  }
}

/// An error that is about what was asked for, not about the store.
protocol RequestMistake: Error {}

extension UnknownEntity: RequestMistake {}
extension UnknownProperty: RequestMistake {}
extension NoSuchRow: RequestMistake {}
extension ObjectPredicateError: RequestMistake {}
extension PredicateFormatError: RequestMistake {}
extension QueryError: RequestMistake {}
