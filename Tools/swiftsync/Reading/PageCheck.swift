import KeyValueStore

/// The check of a store's pages and of its log, which tells how far it is.
enum PageCheck {
  /// - Throws: What says that there is no store or that its files can't be read, and `Interrupted`.
  static func report(on path: String) throws -> VerificationReport {
    var line = ProgressLine("Checking the pages", isBesideData: false)
    defer { line.clear() }
    return try Environment.verify(at: path) { progress in
      try Interruption.check()
      line.show(Int(progress.pagesRead), of: Int(progress.pagesTotal))
    }
  }
}
