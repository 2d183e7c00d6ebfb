import DemoWire
import Foundation

/// A row by its type and identity.
struct RowName: Hashable, CustomStringConvertible {
  var type: String
  var id: String

  var description: String { "\(type)/\(id)" }
}

/// One operation of an upload, and what the server answered to it.
struct UploadedChange {
  let row: RowName
  let key: String
  let isDeletion: Bool
  /// The title or name that it sets, which is different in each edit.
  let title: String?
  /// Empty as long as there is no answer.
  var status = ""

  /// The operations of an upload with their results; none for another request, or one that the server did not take.
  static func all(in request: Request, _ response: Response) -> [UploadedChange] {
    guard request.path == "/sync/upload", response.isSuccess else { return [] }
    return zip(all(in: request), objects("results", in: response.body)).map { change, result in
      var change = change
      change.status = result["status"] as? String ?? ""
      return change
    }
  }

  /// The operations of an upload.
  static func all(in request: Request) -> [UploadedChange] {
    objects("operations", in: request.body).map { operation in
      let data = operation["data"] as? [String: Any]
      return UploadedChange(
        row: RowName(type: operation["type"] as? String ?? "", id: operation["id"] as? String ?? ""),
        key: operation["key"] as? String ?? "", isDeletion: operation["operation"] as? String == "delete",
        title: data?["title"] as? String ?? data?["name"] as? String)
    }
  }

  private static func objects(_ key: String, in body: Data) -> [[String: Any]] {
    let json = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
    return json?[key] as? [[String: Any]] ?? []
  }
}
