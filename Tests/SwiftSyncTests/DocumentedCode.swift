import Foundation

/// The Swift blocks of a document, and the file beside the tests that they are taken from.
struct DocumentedCode {
  let blocks: [String]
  let source: String

  init(document: String, file: String, named name: String) throws {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    let path = folder.pathComponents
    let root = path.lastIndex(of: "Tests").map { path[..<$0].joined(separator: "/") } ?? "."
    let text = try String(contentsOfFile: root + "/" + document, encoding: .utf8)
    blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    source = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }
}
