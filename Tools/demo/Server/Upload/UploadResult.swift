import Foundation

/// What became of an uploaded operation.
enum UploadResult {
  /// It was carried out, now or when it came the first time.
  case applied
  /// Somebody else's newer change stays. The row as it is now; nil if it is deleted.
  case stale([String: Any]?)
  /// It can't be carried out as it is.
  case rejected(code: String, message: String)

  /// Why an operation was refused.
  init(refusing error: BackendError) {
    self = .rejected(code: "rejected", message: error.description)
  }

  init(refusing problem: UploadOperation.Problem) {
    self =
      switch problem {
      case .missingOperation: .rejected(code: "missing_operation", message: "operation is missing.")
      case .unknownOperation(let word):
        .rejected(code: "unknown_operation", message: "There is no operation \(word): it is upsert or delete.")
      }
  }

  /// The result as the client is told of it.
  func json(operation: String?, id: String?) -> [String: Any] {
    var json: [String: Any] = ["operation": operation ?? NSNull(), "id": id ?? NSNull()]
    switch self {
    case .applied:
      json["status"] = "applied"
    case .stale(let row):
      json["status"] = "stale"
      json["server"] = row ?? NSNull()
    case .rejected(let code, let message):
      json["status"] = "rejected"
      json["code"] = code
      json["message"] = message
    }
    return json
  }
}
