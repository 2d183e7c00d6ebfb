import CXXHash

/// What a record has of a content that lies outside of it: how long it is, and a hash by which it is known.
///
/// Contents with the same reference are taken for the same. So whether a large value differs is a comparison of bytes in
/// records, as for any other value, and its content is read only when somebody asks for it.
@usableFromInline
package struct ContentReference: Sendable, Hashable {
  /// The length in bytes.
  package let byteCount: UInt64
  private let hash: SIMD2<UInt64>

  /// The reference to a content.
  init(to content: UnsafeRawBufferPointer) {
    let hash = XXH3_128bits(content.baseAddress, content.count)
    byteCount = UInt64(content.count)
    self.hash = [hash.low64, hash.high64]
  }

  // MARK: Bytes

  static let encodedByteCount = 24

  /// Reads a reference from its bytes in a record.
  init(reading bytes: UnsafeRawBufferPointer) {
    byteCount = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    hash = [
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
    ]
  }

  /// Reads a reference from its bytes; nil for another number of bytes.
  init?(encoded bytes: some Collection<UInt8>) {
    guard bytes.count == ContentReference.encodedByteCount else { return nil }
    self = [UInt8](bytes).withUnsafeBytes { ContentReference(reading: $0) }
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withUnsafeBytes(of: (byteCount.littleEndian, hash.x.littleEndian, hash.y.littleEndian), body)
  }

  /// Whether a content is the one that is referred to.
  func matches(_ content: UnsafeRawBufferPointer) -> Bool {
    UInt64(content.count) == byteCount && self == ContentReference(to: content)
  }
}

/// The byte in front of a field that says where its content lies. Fields have one whose attribute is, or once was, kept in
/// external storage.
enum FieldForm: UInt8 {
  /// The content follows.
  case inside
  /// A `ContentReference` follows.
  case outside
}
