/// Why there is no model in a file, or no file. Each case says where: the path, and in a file the line and the column.
public enum ModelFileError: Error, Sendable, Hashable {
  /// There is no model file of the name in the folder.
  case notFound(name: String, folder: String)
  /// The file can't be read.
  case unreadable(path: String, reason: String)
  /// What the path leads to holds no version of a model, or several of which none is said to be the current one.
  case noCurrentVersion(path: String, versions: [String])
  /// The model was compiled, for Apple's systems only.
  case compiledModel(path: String)
  /// The text is no XML.
  case notXML(path: String, line: Int, column: Int, reason: String)
  /// The XML is no model: its outermost element is another one.
  case notAModel(path: String, line: Int, column: Int, element: String)
  /// An element lacks something that it must have.
  case missing(path: String, line: Int, column: Int, element: String, attribute: String)
  /// An element says something that can't be what it says.
  case invalid(
    path: String, line: Int, column: Int, element: String, attribute: String, value: String, expected: String)
  /// An element says something that exists elsewhere, and that objects would not do here.
  case unsupported(path: String, line: Int, column: Int, element: String, reason: String)
}

extension ModelFileError: CustomStringConvertible {
  /// The error as a sentence, with the place in front in the form that compilers use.
  public var description: String {
    switch self {
    case .notFound(let name, let folder):
      "There is no \(name).xcdatamodeld and no \(name).xcdatamodel in \(folder)."
    case .unreadable(let path, let reason):
      "\(path) cannot be read: \(reason)"
    case .noCurrentVersion(let path, let versions):
      versions.isEmpty
        ? "\(path) holds no version of a model."
        : "\(path) does not say which of its versions is the current one: \(versions.joined(separator: ", "))."
    case .compiledModel(let path):
      "\(path) is a compiled model; the .xcdatamodeld that it was compiled from is needed."
    case .notXML(let path, let line, let column, let reason):
      "\(path):\(line):\(column): This is no XML: \(reason)."
    case .notAModel(let path, let line, let column, let element):
      "\(path):\(line):\(column): The outermost element is \(element), and that of a model is called model."
    case .missing(let path, let line, let column, let element, let attribute):
      "\(path):\(line):\(column): The \(element) has no \(attribute)."
    case .invalid(let path, let line, let column, let element, let attribute, let value, let expected):
      "\(path):\(line):\(column): The \(attribute) of the \(element) is \"\(value)\", and should be \(expected)."
    case .unsupported(let path, let line, let column, let element, let reason):
      "\(path):\(line):\(column): The \(element) \(reason)."
    }
  }
}
