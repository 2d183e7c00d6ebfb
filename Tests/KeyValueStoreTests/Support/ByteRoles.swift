@testable import KeyValueStore

/// What each byte of a sound data file is there for, as its newest snapshot sees it.
///
/// Written apart from the check that it is used to judge, and only for files that are sound.
struct ByteRoles {
  enum Role {
    /// Nothing that matters.
    case unused
    /// A key, which a check can only compare with its neighbours.
    case key
    /// A value, which has no checksum here.
    case value
    /// The lower byte of the length of something whose space is rounded up to two bytes: a change by one may not show.
    case length
    /// What holds the trees together: every change of it has to be found.
    case structure
  }

  private(set) var roles: [Role]
  private let data: [UInt8]
  private let pageBytes = 4096

  init(of data: [UInt8]) {
    self.data = data
    roles = Array(repeating: .unused, count: data.count)
    let transactions = [0, pageBytes].map { data.number(at: $0 + 144, as: UInt64.self) }
    let meta = transactions[1] > transactions[0] ? pageBytes : 0
    // Magic number, version; the two trees; the last page.
    mark(.structure, meta + 16, 8)
    mark(.structure, meta + 40, 104)
    visitTree(at: meta + 40, isFree: true, isRoot: false)
    visitTree(at: meta + 88, isFree: false, isRoot: true)
  }

  /// The pages with structure: those of trees, and the first ones of values.
  var structuredPages: [Int] {
    (2..<(data.count / pageBytes)).filter { roles[$0 * pageBytes] == .structure }
  }

  /// The pages that the snapshot needs.
  var pagesNeeded: [Int] {
    (2..<(data.count / pageBytes)).filter { page in
      roles[(page * pageBytes)..<((page + 1) * pageBytes)].contains { $0 != .unused }
    }
  }

  private mutating func mark(_ role: Role, _ start: Int, _ count: Int) {
    for place in start..<(start + count) { roles[place] = role }
  }

  private mutating func visitTree(at record: Int, isFree: Bool, isRoot: Bool) {
    let root = data.number(at: record + 40, as: UInt64.self)
    if root != .max { visit(Int(root), isFree, isRoot) }
  }

  private mutating func visit(_ page: Int, _ isFree: Bool, _ isRoot: Bool) {
    let start = page * pageBytes
    let isLeaf = data[start + 10] == 2
    mark(.structure, start, 8)
    mark(.structure, start + 10, 6)
    let lower = Int(data.number(at: start + 12, as: UInt16.self))
    for slot in stride(from: start + 16, to: start + lower, by: 2) {
      mark(.structure, slot, 2)
      let node = start + Int(data.number(at: slot, as: UInt16.self))
      mark(.structure, node, 8)
      mark(.length, node + 6, 1)
      let keyByteCount = Int(data.number(at: node + 6, as: UInt16.self))
      mark(!isLeaf && slot == start + 16 ? .unused : .key, node + 8, keyByteCount)
      let value = node + 8 + keyByteCount
      if !isLeaf {
        let child = Int(data.number(at: node, as: UInt32.self))
        visit(child, isFree, isRoot)
      } else if data[node + 4] == 2 {
        mark(.structure, value, 48)
        visitTree(at: value, isFree: false, isRoot: false)
      } else {
        visitValue(at: value, of: node, isOverflow: data[node + 4] == 1, isFree)
      }
    }
  }

  private mutating func visitValue(at place: Int, of node: Int, isOverflow: Bool, _ isFree: Bool) {
    let byteCount = Int(data.number(at: node, as: UInt32.self))
    // The length of a value in pages of its own only has to fit into these.
    if isOverflow { mark(.value, node, 4) } else { mark(.length, node, 1) }
    var place = place
    if isOverflow {
      mark(.structure, place, 8)
      let run = Int(data.number(at: place, as: UInt64.self)) * pageBytes
      mark(.structure, run, 8)
      mark(.structure, run + 10, 6)
      place = run + 16
    }
    let listByteCount = isFree ? 8 + 8 * Int(data.number(at: place, as: UInt64.self)) : 0
    mark(.structure, place, listByteCount)
    if !isFree { mark(.value, place, byteCount) }
  }
}
