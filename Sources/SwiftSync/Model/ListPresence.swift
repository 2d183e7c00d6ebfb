/// Tells where objects occur in a list: by looking through it for a few of them, by a dictionary for many.
struct ListPresence<Related: PersistentModel> {
  private static var lookUpsWithoutDictionaryMax: Int { 64 }

  private let list: ArraySlice<Related>
  private var positions: [ObjectIdentifier: Int]?

  init(of list: ArraySlice<Related>, lookUps: Int) {
    self.list = list
    if lookUps <= Self.lookUpsWithoutDictionaryMax { return }
    var positions = [ObjectIdentifier: Int](minimumCapacity: list.count)
    for (position, model) in zip(list.indices, list) { positions[ObjectIdentifier(model)] = position }
    self.positions = positions
  }

  /// The place of an object that the list has at most once.
  func position(of model: any PersistentModel) -> Int? {
    if let positions { return positions[ObjectIdentifier(model)] }
    let word = UInt(bitPattern: ObjectIdentifier(model))
    return withReferences(of: list) { $0.firstIndex(of: word) }.map { list.startIndex + $0 }
  }
}
