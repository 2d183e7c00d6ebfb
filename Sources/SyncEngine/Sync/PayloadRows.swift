/// The objects of a payload that are rows, and where they stand in it.
struct PayloadRows {
  private enum Source {
    case values([PayloadValue])
    /// Parsed window by window.
    case text(RowSource)
  }

  private var source: Source
  private let entity: String
  private let place: String
  /// Whether they are all rows of the scope, and not a single one beside which there may be others.
  let isCollection: Bool
  /// The JSON pointer to the value that the rows are, or are in.
  let pointer: String
  /// Where the values of the document lie.
  private let memory: PayloadMemory

  /// Finds the rows of a request.
  ///
  /// - Throws: `SyncError.invalidPayload` where there are none, or something else.
  init(of request: SyncRequest, in root: PayloadValue, text: RowSource? = nil) throws {
    let (value, pointer): (PayloadValue, String)
    do {
      (value, pointer) = try request.path.find(in: root)
    } catch {
      throw SyncError.invalidPayload(model: request.entity, reason: "\(error)")
    }
    self.pointer = pointer
    memory = root.memory
    entity = request.entity
    place = request.path.isEmpty ? "" : " at \(request.path)"
    isCollection =
      switch request.form {
      case .collection: true
      case .item: false
      case .collectionOrItem: value.kind == .array
      }
    source = .values([value])
    guard isCollection else {
      if value.kind != .object { throw unexpected("a dictionary") }
      return
    }
    if let text, value.index == text.outline.arrayNode {
      source = .text(text)
      return
    }
    source = .values(Array(value.elements))
    if value.kind != .array || !value.elements.allSatisfy({ $0.kind == .object }) {
      throw unexpected("array of dictionaries")
    }
  }

  var count: Int {
    switch source {
    case .values(let values): values.count
    case .text(let text): text.outline.rowCount
    }
  }

  /// Whether the rows' texts are known.
  var haveTexts: Bool {
    if case .text = source { true } else { false }
  }

  /// Whether the rows come in more than one batch.
  var isDivided: Bool {
    if case .text(let text) = source { text.outline.windows.count > 1 } else { false }
  }

  /// Lets all rows come in one batch.
  mutating func unite() {
    guard case .text(var text) = source else { return }
    text.outline = text.outline.merged
    source = .text(text)
  }

  /// Calls a closure with all rows, batch by batch. At least once, even if there are none. A batch is gone after its call.
  ///
  /// - Throws: `SyncError.invalidPayload` for text that is malformed, or has a line that is no object; what the closure throws.
  func forEachBatch(reading: RowReading, _ body: (RowBatch) throws -> Void) throws {
    switch source {
    case .values(let values):
      try body(RowBatch(values, memory: memory))
    case .text(let text):
      if count == 0 { return try body(noBatch) }
      var feed = WindowFeed(text, reading)
      while let window = try next(of: &feed) {
        try body(RowBatch(window))
        text.text.release(window.window.text)
      }
    }
  }

  private func next(of feed: inout WindowFeed) throws -> ParsedWindow? {
    let window: ParsedWindow?
    do throws(PayloadError) {
      window = try feed.next()
    } catch {
      throw SyncError.invalidPayload(model: entity, reason: "\(error)")
    }
    if let window, !window.hasObjectsOnly { throw unexpected("array of dictionaries") }
    return window
  }

  /// The rows around one, read again.
  func batch(of row: Int, reading: RowReading) throws -> RowBatch {
    guard case .text(let text) = source,
      let window = text.outline.windows.last(where: { $0.firstRow <= row })
    else { return noBatch }
    do throws(PayloadError) {
      return RowBatch(try text.read(window, reading))
    } catch {
      throw SyncError.invalidPayload(model: entity, reason: "\(error)")
    }
  }

  /// No rows.
  var noBatch: RowBatch { RowBatch([], memory: memory) }

  private func unexpected(_ expected: String) -> SyncError {
    .invalidPayload(model: entity, reason: "Expected \(expected)\(place)")
  }
}
