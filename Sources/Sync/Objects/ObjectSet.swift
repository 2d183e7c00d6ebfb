/// Objects, each once, in the order in which they were put in. Holds them strongly.
struct ObjectSet {
  private var numbers: [ManagedObject: Int] = [:]
  private var lastNumber = 0

  init() {}

  init(_ objects: [ManagedObject]) {
    for object in objects { insert(object) }
  }

  var isEmpty: Bool { numbers.isEmpty }

  var objects: [ManagedObject] { numbers.sorted { $0.value < $1.value }.map(\.key) }

  func contains(_ object: ManagedObject) -> Bool { numbers[object] != nil }

  mutating func insert(_ object: ManagedObject) {
    if numbers[object] != nil { return }
    lastNumber += 1
    numbers[object] = lastNumber
  }

  mutating func remove(_ object: ManagedObject) { numbers[object] = nil }
}
