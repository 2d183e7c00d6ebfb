import Foundation
import KeyValueStore

/// A file that is written from its beginning to its end and then takes its name, so that nobody sees a part of it.
final class ExportFile {
  private let path: String
  private let unfinishedPath: String
  private let files: any FileSystem
  private let file: OpenFile
  private var byteCount = 0
  private var isFinished = false

  /// - Throws: `StoreError.notWritable`, `.diskFull` or `.system`, which name the file; so do the other methods.
  init(_ url: URL, _ files: any FileSystem = SystemFiles()) throws {
    path = url.path
    unfinishedPath = "\(path).\(UUID().uuidString).unfinished"
    self.files = files
    do { file = try files.open(unfinishedPath, for: .creating) } catch { throw StoreError(error, opening: .creating) }
  }

  deinit {
    if !isFinished { try? files.remove(unfinishedPath) }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    do { try files.write(bytes, to: file, at: byteCount) } catch { throw StoreError(error) }
    byteCount += bytes.count
  }

  /// Gives the file its name, in the place of a file that had it.
  func finish() throws {
    do throws(FileError) {
      try files.syncData(file)
      try files.rename(unfinishedPath, to: path)
    } catch {
      throw StoreError(error)
    }
    isFinished = true
  }
}
