/// The numbers by which the history names an entity's properties.
///
/// The member numbers of a `PropertySet` follow the declaration, so they shift when a property is added or moved. The history
/// outlives that: there a property is its place in a list of the catalog to which new names are only appended.
struct PropertyNumbers: Sendable {
  /// The number of each property.
  private let numbers: [Int]
  /// The property of each number; nil for one that the entity does not have any more.
  private let properties: [Int?]

  /// Numbers an entity's properties, which are attributes and then relationships; nil when one is not in the catalog's list.
  init?(names: [String], list: [String]) {
    let places = Dictionary(list.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let indexes = Dictionary(
      names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    numbers = names.compactMap { places[$0] }
    guard numbers.count == names.count else { return nil }
    properties = list.map { indexes[$0] }
  }

  func number(of property: Int) -> Int { numbers[property] }

  func property(of number: Int) -> Int? { number < properties.count ? properties[number] : nil }

  /// A set of properties as bits by number, without zero bytes at the end.
  func mask(of set: PropertySet) -> [UInt8] {
    var mask: [UInt8] = []
    for property in set.members {
      let number = numbers[property]
      while mask.count <= number >> 3 { mask.append(0) }
      mask[number >> 3] |= 1 << UInt8(number & 7)
    }
    return mask
  }

  func set(of mask: [UInt8]) -> PropertySet {
    var set = PropertySet()
    for (place, byte) in mask.enumerated() where byte != 0 {
      for bit in 0..<8 where byte & (1 << UInt8(bit)) != 0 {
        if let property = property(of: place << 3 | bit) { set.insert(property) }
      }
    }
    return set
  }
}
