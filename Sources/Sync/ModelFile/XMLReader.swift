/// Reads an XML file into its elements.
///
/// It reads what model files consist of: elements, attributes, comments, processing instructions and references to characters.
/// Text between elements is of no interest there, and a document type is refused. Foundation's parser is not used, because on
/// Linux it stops the process at some damaged files.
struct XMLReader {
  /// How deep elements may be nested. A model file needs six.
  static let depthMax = 64

  private var scanner: XMLScanner
  /// The elements that have begun and not ended.
  private var open: [XMLElement] = []
  private var root: XMLElement?

  /// - Throws: `ModelFileError.notXML` with the place at which the text stops being XML.
  static func read(_ bytes: [UInt8], path: String) throws(ModelFileError) -> XMLElement {
    var reader = XMLReader(scanner: XMLScanner(bytes, path: path))
    return try reader.read()
  }

  private init(scanner: XMLScanner) {
    self.scanner = scanner
  }

  private mutating func read() throws(ModelFileError) -> XMLElement {
    while let byte = scanner.peek {
      if byte != UInt8(ascii: "<") {
        if open.isEmpty, !byte.isXMLSpace { throw scanner.error("there is text outside of the outermost element") }
        scanner.advance()
      } else if scanner.take("<!--") {
        try scanner.skip(behind: "-->", of: "comment")
      } else if scanner.take("<?") {
        try scanner.skip(behind: "?>", of: "processing instruction")
      } else if !open.isEmpty, scanner.take("<![CDATA[") {
        try scanner.skip(behind: "]]>", of: "CDATA section")
      } else if scanner.starts(with: "<!") {
        throw scanner.error("a document type is declared")
      } else if scanner.take("</") {
        try end()
      } else {
        try begin()
      }
    }
    if let element = open.last { throw scanner.error("\(element.name) does not end") }
    guard let root else { throw scanner.error("there is no element") }
    return root
  }

  private mutating func begin() throws(ModelFileError) {
    let (line, column) = (scanner.line, scanner.column)
    if root != nil, open.isEmpty { throw scanner.error("there is a second outermost element") }
    if open.count == XMLReader.depthMax {
      throw scanner.error("elements are nested deeper than \(XMLReader.depthMax) levels")
    }
    scanner.advance()
    let name = try scanner.name()
    var attributes: [String: String] = [:]
    while true {
      let isApart = scanner.skipSpaces()
      if scanner.take("/>") {
        close(XMLElement(name: name, attributes: attributes, line: line, column: column))
        return
      }
      if scanner.take(">") {
        open.append(XMLElement(name: name, attributes: attributes, line: line, column: column))
        return
      }
      guard isApart else { throw scanner.error("the tag of \(name) does not end") }
      let key = try scanner.name()
      scanner.skipSpaces()
      guard scanner.take("=") else { throw scanner.error("the attribute \(key) has no value") }
      scanner.skipSpaces()
      let value = try scanner.quotedValue(of: key)
      if attributes.updateValue(value, forKey: key) != nil {
        throw scanner.error("\(name) has two attributes named \(key)")
      }
    }
  }

  private mutating func end() throws(ModelFileError) {
    let name = try scanner.name()
    scanner.skipSpaces()
    guard scanner.take(">") else { throw scanner.error("the closing tag of \(name) does not end") }
    guard let element = open.popLast(), element.name == name else {
      throw scanner.error("\(name) ends where it has not begun")
    }
    close(element)
  }

  private mutating func close(_ element: XMLElement) {
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }
}
