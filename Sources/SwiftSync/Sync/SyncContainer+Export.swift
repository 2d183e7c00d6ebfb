import Foundation
import KeyValueStore
import Records
import SyncEngine

extension SyncContainer {
  /// How a file of exported objects is laid out.
  public enum ExportFormat: Sendable {
    /// One JSON array.
    case array
    /// One object on each line (newline-delimited JSON).
    case lines
  }

  /// The object as the JSON object that a backend would send (contract, section 11): with unsaved edits, keys by annotation or
  /// in the container's style, nil as `NSNull`, dates by the container's formatter.
  ///
  /// - Parameters:
  ///   - model: an object of any context, or of none; it is read where its context may be used.
  ///   - options: how relationships are written; a hand-written `export` does not hear of them. An object that is reached again
  ///     on the way down is an empty one there.
  /// - Returns: The object's values by their keys.
  /// - Complexity: O(objects that are reached). A whole query is written faster by `exportJSON(_:using:)`.
  public func export<Model: SyncUpdatableModel>(
    _ model: Model, using options: ExportOptions = ExportOptions()
  ) -> [String: Any] {
    guard model is any SyncMappedModel else { return model.export(keyStyle: keyStyle, dateFormatter: dateFormatter) }
    return ModelExporter(plans: ExportPlans(keyStyle, options), dates: exportDates).export(model)
  }

  /// The stored objects that a descriptor describes as the text of a JSON array, each as `export(_:using:)` makes it. Unsaved
  /// edits of any context are not in it.
  ///
  /// - Throws: what `ModelContext.fetch(_:)` throws; `RecordError` for damage.
  /// - Complexity: O(objects that are written), without making any where records tell all.
  public func exportJSON<Model: SyncUpdatableModel>(
    _ descriptor: FetchDescriptor<Model> = FetchDescriptor(), using options: ExportOptions = ExportOptions()
  ) throws -> Data {
    var text = Data()
    _ = try write(descriptor, as: .array, options) { text.append(contentsOf: $0) }
    return text
  }

  /// Writes the stored objects that a descriptor describes to a file, as `exportJSON(_:using:)` does, from one snapshot and in
  /// little memory. The file takes its name when it is complete, and replaces what had that name.
  ///
  /// - Returns: How many objects were written.
  /// - Throws: what `exportJSON(_:using:)` throws; `StoreError` with the name of a file that cannot be written;
  ///   `CancellationError`. There is no new file then.
  @discardableResult
  @concurrent public func exportJSON<Model: SyncUpdatableModel>(
    _ descriptor: FetchDescriptor<Model> = FetchDescriptor(), to url: URL, as format: ExportFormat = .array,
    using options: ExportOptions = ExportOptions()
  ) async throws -> Int {
    let file = try ExportFile(url)
    let count = try write(descriptor, as: format, options) { bytes in
      try Task.checkCancellation()
      try file.append(bytes)
    }
    try file.finish()
    return count
  }

  private var exportDates: ExportDates { ExportDates(formatter: dateFormatter, isStandard: hasStandardDates) }

  private func write<Model: SyncUpdatableModel>(
    _ descriptor: FetchDescriptor<Model>, as format: ExportFormat, _ options: ExportOptions,
    into sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int {
    let context = ModelContext(modelContainer)
    let binding = try modelContainer.core.binding(of: Model.self)
    var text = ExportText(format)
    if modelContainer.core.modelsSyncedByObjects[binding.table.name] != nil {
      try context.enumerate(descriptor) { model in
        let object = try PayloadDocument(export(model, using: options))
        object.read { text.writer.write($0) }
        try text.endObject(into: sink)
      }
    } else {
      try context.read { snapshot in
        var exporter = RecordExporter(
          modelContainer.core, snapshot, options, recordExports, exportDates, to: text)
        for case .row(let row) in try Fetch(descriptor, in: context, snapshot).items() {
          try exporter.write(row, binding)
          try exporter.text.endObject(into: sink)
        }
        text = exporter.text
      }
      try context.graph.throwFailure()
    }
    return try text.finish(into: sink)
  }
}
