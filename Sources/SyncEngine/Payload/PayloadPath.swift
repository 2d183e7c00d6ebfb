/// The way from the root of a payload to its rows, as in `data.items`: keys of objects and positions in arrays.
package struct PayloadPath: Sendable, Hashable, CustomStringConvertible {
  /// The path as it was written.
  package let description: String

  /// A path with dots between its segments; the empty one is the root.
  package init(_ text: String = "") {
    description = text
  }

  package var isEmpty: Bool { description.isEmpty }

  /// There is nothing where a path leads.
  struct Missing: Error, CustomStringConvertible {
    let path: PayloadPath
    /// How far it leads.
    let found: String
    let segment: String

    var description: String {
      "there is nothing at \(path): \(found.isEmpty ? "the payload" : found) has no \(segment)"
    }
  }

  /// The value at the path, and the JSON pointer to it. A member whose key is all the rest of the path, dots included, is taken
  /// before a member of a member.
  func find(in root: PayloadValue) throws(Missing) -> (value: PayloadValue, pointer: String) {
    var value = root
    var pointer = ""
    var rest = Substring(description)
    while !rest.isEmpty {
      if value.kind == .object, let member = value.member(String(rest)) {
        JSONPointer.append(key: String(rest), to: &pointer)
        return (member, pointer)
      }
      let segment = rest.prefix { $0 != "." }
      let next = value.kind == .array ? Int(segment).flatMap(value.element) : value.member(String(segment))
      guard let next else {
        let found = description.dropLast(rest.count + 1)
        throw Missing(path: self, found: String(found), segment: String(segment))
      }
      value = next
      JSONPointer.append(key: String(segment), to: &pointer)
      rest = rest.dropFirst(segment.count + 1)
    }
    return (value, pointer)
  }
}
