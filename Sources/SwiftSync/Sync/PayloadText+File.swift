import Foundation
import SyncEngine

extension PayloadText {
  /// The text of a file, mapped into memory where that is possible.
  ///
  /// - Throws: What opening and reading the file throw.
  static func file(_ url: URL) throws -> PayloadText {
    if url.isFileURL {
      let file = try FileHandle(forReadingFrom: url)
      if let text = MappedText(file: file.fileDescriptor) { return .mapped(text) }
    }
    return .data(try Data(contentsOf: url))
  }
}
