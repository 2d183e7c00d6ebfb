/// An element of an XML file with where it begins.
struct XMLElement: Sendable {
  let name: String
  let attributes: [String: String]
  var children: [XMLElement] = []
  let line: Int
  let column: Int

  /// The children with a name, in the order of the file.
  func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }
}
