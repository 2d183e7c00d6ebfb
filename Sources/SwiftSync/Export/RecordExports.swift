import SyncEngine
import Synchronization

/// How the classes of a container are written as JSON text. What is known of a class is made when it is first exported and kept,
/// because making it, with a key in the container's style for each property, takes as long as writing a few dozen objects.
final class RecordExports: Sendable {
  private struct Known {
    let options: ExportOptions
    let table: ModelTable
    let export: RecordExport
  }

  private let keyStyle: KeyStyle
  /// A list, because classes are few, and each export asks once for a class.
  private let known = Mutex<[Known]>([])

  init(_ keyStyle: KeyStyle) {
    self.keyStyle = keyStyle
  }

  /// - Throws: `ModelError.unknownModel`.
  func export(of binding: ModelBinding, _ options: ExportOptions, in core: ContainerCore) throws -> RecordExport {
    let table = binding.table
    let made = known.withLock { known in known.first { $0.table === table && $0.options == options }?.export }
    if let made { return made }
    let export = try RecordExport(ExportPlan(table, keyStyle, options), of: binding, in: core)
    known.withLock { $0.append(Known(options: options, table: table, export: export)) }
    return export
  }
}
