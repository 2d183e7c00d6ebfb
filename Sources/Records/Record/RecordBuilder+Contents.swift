import FoundationEssentials

/// Setting fields of varying length, whose content may go outside of the record.
///
/// A field that is given the content which it has already stays as it is, wherever that lies: so a value is unchanged if its
/// content is, also when the rule by which contents go outside has changed since it was stored.
extension RecordBuilder {
  /// Sets the text of a string or URL field, or the bytes of a data or composite field. Text must be valid UTF-8; what is not
  /// is replaced when it is read.
  @discardableResult
  package mutating func setUTF8(_ field: FieldIndex, _ bytes: UnsafeRawBufferPointer) -> Bool {
    setContent(field, bytes) { .bytes([UInt8](bytes)) }
  }

  /// Like the one above; a large content is not copied.
  @discardableResult
  package mutating func setUTF8(_ field: FieldIndex, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { setContent(field, $0) { .bytes(bytes) } }
  }

  /// Sets a text. A large one is not copied.
  @discardableResult
  package mutating func setString(_ field: FieldIndex, _ value: String) -> Bool {
    var text = value
    return text.withUTF8 { setContent(field, UnsafeRawBufferPointer($0)) { .text(value) } }
  }

  /// Sets data. A large one is not copied.
  @discardableResult
  package mutating func setData(_ field: FieldIndex, _ value: Data) -> Bool {
    value.withUnsafeBytes { setContent(field, $0) { .data(value) } }
  }

  @inline(__always)
  private mutating func setContent(
    _ field: FieldIndex, _ bytes: UnsafeRawBufferPointer, _ content: () -> LargeContent
  ) -> Bool {
    let place = layout.fields[field]
    guard place.kind.fixedByteCount == nil else { return false }
    if place.hasForm {
      setFormed(field, bytes, content)
    } else {
      setStorage(of: field, bytes, form: nil)
    }
    return true
  }

  private mutating func setFormed(
    _ field: FieldIndex, _ bytes: UnsafeRawBufferPointer, _ content: () -> LargeContent
  ) {
    if hasContent(bytes, in: field) { return }
    guard layout.fields[field].isExternal, bytes.count > RecordLayout.insideByteCountMax else {
      setInside(field, bytes)
      return
    }
    ContentReference(to: bytes).withBytes { setStorage(of: field, $0, form: .outside) }
    contents[field] = content()
  }

  /// Sets a content that stays inside, however large it is.
  mutating func setInside(_ field: FieldIndex, _ bytes: UnsafeRawBufferPointer) {
    contents[field] = nil
    setStorage(of: field, bytes, form: .inside)
  }

  private func hasContent(_ bytes: UnsafeRawBufferPointer, in field: FieldIndex) -> Bool {
    if isNull(field) { return false }
    if let reference = reference(field) { return reference.matches(bytes) }
    return withStorage(of: layout.fields[field]) { storage in
      UnsafeRawBufferPointer(rebasing: storage[1...]).hasSameBytes(as: bytes)
    }
  }

  /// What the record will have of a content that lies outside; nil when it is inside, or null.
  func reference(_ field: FieldIndex) -> ContentReference? {
    let place = layout.fields[field]
    guard place.hasForm, !isNull(field) else { return nil }
    return withStorage(of: place) { storage in
      guard storage.first == FieldForm.outside.rawValue else { return nil }
      return ContentReference(reading: UnsafeRawBufferPointer(rebasing: storage[1...]))
    }
  }

  /// The bytes that hold a field of varying length, its form included.
  func withStorage<Result>(of place: RecordLayout.Field, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let span = spans[place.place]
    return heap.withUnsafeBytes { heap in
      body(UnsafeRawBufferPointer(rebasing: heap[span.start..<(span.start + span.count)]))
    }
  }

  /// Makes a field of varying length hold some bytes, with a form in front of them unless they bring their own or have none.
  mutating func setStorage(of field: FieldIndex, _ bytes: UnsafeRawBufferPointer, form: FieldForm?) {
    let start = heap.count
    if let form { heap.append(form.rawValue) }
    heap.append(contentsOf: bytes)
    spans[layout.fields[field].place] = Span(start: start, count: heap.count - start)
    markPresent(field)
  }
}
