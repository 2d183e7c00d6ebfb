/// What is left of deleted rows: the values of the attributes that are marked to be preserved on deletion.
package struct Tombstones: Sendable, Equatable {
  /// The member numbers of the attributes in a `PropertySet`.
  package let properties: [Int]
  /// For each row, in the order of the rows, a value for each of the properties.
  private(set) var values: [FieldValue]

  package init(properties: [Int] = [], values: [FieldValue] = []) {
    self.properties = properties
    self.values = values
  }

  /// A value of the row that stands at a position among the deleted ones; nil for an attribute that is not preserved.
  package func value(of property: Int, at position: Int) -> FieldValue? {
    guard let column = properties.firstIndex(of: property), position < values.count / properties.count else {
      return nil
    }
    return values[position * properties.count + column]
  }
}
