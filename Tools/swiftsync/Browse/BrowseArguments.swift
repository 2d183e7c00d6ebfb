import Records

/// What stands behind the question mark of a request.
struct BrowseArguments {
  private let values: [String: String]

  /// - Throws: `BrowseError` for one that is longer than any that makes sense.
  init(_ values: [String: String]) throws(BrowseError) {
    for (name, value) in values where value.utf8.count > Browsing.argumentBytesMax {
      throw .argumentTooLong(String(name.prefix(40)))
    }
    self.values = values
  }

  /// The argument's text; nil if it is empty or missing.
  func text(_ name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func number(_ name: String, upTo most: Int = .max) throws(BrowseError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = NaturalNumber(argument: text) else {
      throw .argumentUnreadable(name, expectation: NaturalNumber.expectation)
    }
    return min(number.value, most)
  }

  func entity(in catalog: Catalog) throws -> Entity {
    guard let name = text("entity"), let entity = try catalog.entities(named: name).first else {
      throw BrowseError.argumentMissing("entity")
    }
    return entity
  }

  func row() throws(BrowseError) -> RowNumber {
    guard let number = try number("row") else { throw .argumentMissing("row") }
    return RowNumber(rawValue: UInt64(number))
  }
}
