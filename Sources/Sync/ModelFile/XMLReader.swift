import CXML

/// Reads an XML file into its elements, with libxml2.
///
/// It keeps what model files consist of, elements and their attributes. A document type is refused, because what it declares
/// could change what the rest says. Foundation's parser, which stands on the same library, takes some damaged files for whole
/// ones, and stops the process at others.
final class XMLReader {
  /// How deep elements may be nested. A model file needs six.
  static let depthMax = 64

  private static let libraryIsReady: Void = xmlInitParser()

  private let path: String
  private let bytes: [UInt8]
  private let parser: xmlParserCtxtPtr
  private var place: FilePlace
  /// The elements that have begun and not ended.
  private var open: [XMLElement] = []
  private var root: XMLElement?
  private var failure: ModelFileError?

  /// - Throws: `ModelFileError.notXML` with the place at which the text stops being XML.
  static func read(_ bytes: [UInt8], path: String) throws(ModelFileError) -> XMLElement {
    _ = libraryIsReady
    guard let parser = xmlNewParserCtxt() else {
      throw .unreadable(path: path, reason: "There is not enough memory to parse it.")
    }
    defer { xmlFreeParserCtxt(parser) }
    return try XMLReader(bytes, path: path, parser: parser).read()
  }

  private init(_ bytes: [UInt8], path: String, parser: xmlParserCtxtPtr) {
    self.bytes = bytes
    self.path = path
    self.parser = parser
    self.place = FilePlace(bytes)
  }

  private func read() throws(ModelFileError) -> XMLElement {
    guard let count = Int32(exactly: bytes.count) else {
      throw .unreadable(path: path, reason: "It has \(bytes.count) bytes, which no model has.")
    }
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { reader, name, _, _, _, _, count, _, attributes in
      XMLReader.of(reader)?.begin(name, attributes, count: Int(count))
    }
    handler.endElementNs = { reader, _, _, _ in XMLReader.of(reader)?.end() }
    handler.internalSubset = { reader, _, _, _ in XMLReader.of(reader)?.fail("a document type is declared") }
    handler.serror = { reader, error in
      guard let error = error?.pointee, error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
      let message = error.message.map { String(cString: $0) } ?? "error \(error.code)"
      XMLReader.of(reader)?.fail(message, line: Int(error.line), column: Int(error.int2))
    }
    parser.pointee.sax.pointee = handler
    parser.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    // References are replaced by what they stand for. No document can declare any, so these are the five of XML itself.
    let options = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue)
    bytes.withUnsafeBytes { buffer in
      _ = xmlCtxtReadMemory(
        parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), count, nil, "UTF-8", options)
    }
    if let failure { throw failure }
    guard let root else { throw .notXML(path: path, line: 1, column: 1, reason: "there is no element") }
    return root
  }

  /// The reader that the library hands to each function.
  private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLReader? {
    pointer.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Begins an element. An attribute is five pointers: its name, prefix and namespace, and the first byte of its value and the
  /// one behind the last.
  private func begin(
    _ name: UnsafePointer<xmlChar>?, _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
  ) {
    guard let name, failure == nil else { return }
    place.advance(toTagBefore: Int(xmlByteConsumed(parser)))
    if open.count == XMLReader.depthMax {
      return fail(
        "elements are nested deeper than \(XMLReader.depthMax) levels", line: place.line, column: place.column)
    }
    var attributes: [String: String] = [:]
    for attribute in stride(from: 0, to: count * 5, by: 5) {
      guard let list, let key = list[attribute], let first = list[attribute + 3], let end = list[attribute + 4] else {
        continue
      }
      attributes[String(cString: key)] = String(
        decoding: UnsafeBufferPointer(start: first, count: end - first), as: UTF8.self)
    }
    open.append(
      XMLElement(name: String(cString: name), attributes: attributes, line: place.line, column: place.column))
  }

  private func end() {
    guard failure == nil, let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  private func fail(_ reason: String) {
    fail(reason, line: Int(parser.pointee.input.pointee.line), column: Int(parser.pointee.input.pointee.col))
  }

  /// Keeps the first failure; those behind it are its consequences.
  private func fail(_ reason: String, line: Int, column: Int) {
    guard failure == nil else { return }
    let sentence = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
    failure = .notXML(path: path, line: max(line, 1), column: max(column, 1), reason: sentence)
    xmlStopParser(parser)
  }
}
