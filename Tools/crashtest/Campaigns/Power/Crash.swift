import TestSupport

/// One crash: what it leaves and what that may be.
struct Crash {
  private static let imageName = "image"
  private static let expectationName = "expectation"
  private static let descriptionName = "description"

  let image: CrashImage
  /// The medium and the cache when the next process begins.
  let mediumAfter: Medium
  let examination: Examination
  /// What a second crash may leave before a recovery is through.
  let promisesAfter: Ledger.Initial
  let title: String
  let description: String

  /// Writes down what is needed to examine the image again.
  func save(to folder: String) throws {
    try Folder.empty(folder)
    try image.write(to: "\(folder)/\(Self.imageName)")
    try Folder.write(Array(examination.expectation.text.utf8), to: "\(folder)/\(Self.expectationName)")
    try Folder.write(Array(description.utf8), to: "\(folder)/\(Self.descriptionName)")
  }

  /// Opens a copy of a saved image, at `path`, and throws what is found.
  static func replay(_ folder: String, at path: String, _ setup: StoreSetup) throws {
    try Folder.copy("\(folder)/\(imageName)", to: path)
    let text = try Folder.bytes(of: "\(folder)/\(expectationName)")
    let expectation = try Expectation(text: String(decoding: text, as: UTF8.self))
    var random = SplitMix64(seed: 1)
    try Examination(setup: setup, expectation: expectation).run(at: path, &random)
  }
}
