/// Paths to the values of a document, as RFC 6901 has them: `/3/owner/name`.
package enum JSONPointer {
  /// Appends a step, the characters escaped that mean something in a pointer.
  package static func append(key: String, to pointer: inout String) {
    pointer += "/"
    for scalar in key.unicodeScalars {
      switch scalar {
      case "~": pointer += "~0"
      case "/": pointer += "~1"
      default: pointer.unicodeScalars.append(scalar)
      }
    }
  }
}

extension PayloadValue {
  /// Appends the way from this value to a node that lies inside of it.
  func appendPointer(toNode node: Int, to pointer: inout String) {
    var value = self
    while value.index != node {
      switch value.kind {
      case .object:
        guard let (key, member) = value.members.first(where: { $0.value.contains(node) }) else { return }
        JSONPointer.append(key: key.string, to: &pointer)
        value = member
      case .array:
        guard let (position, element) = value.elements.enumerated().first(where: { $0.element.contains(node) })
        else { return }
        pointer += "/\(position)"
        value = element
      default: return
      }
    }
  }

  private func contains(_ node: Int) -> Bool { index <= node && node < end }
}
