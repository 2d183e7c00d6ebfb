import FoundationEssentials

/// A content that is too large for a record, on its way to its own table. It shares the memory of the value that it was given as.
enum LargeContent: Sendable {
  case bytes([UInt8])
  case data(Data)
  case text(String)

  var byteCount: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .data(let data): data.count
    case .text(let text): text.utf8.count
    }
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    switch self {
    case .bytes(let bytes): return try bytes.withUnsafeBytes(body)
    case .data(let data): return try data.withUnsafeBytes(body)
    case .text(var text): return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
  }
}
