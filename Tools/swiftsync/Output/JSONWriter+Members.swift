import SyncEngine

extension JSONWriter {
  /// A member with a text; nothing when there is none.
  mutating func writeMember(_ key: String, _ text: String?) {
    guard let text else { return }
    writeKey(key)
    writeString(text)
  }

  mutating func writeMember(_ key: String, _ number: some BinaryInteger) {
    writeKey(key)
    write(number)
  }
}
