import Foundation

/// The files of a folder in one piece of data, without their zeros: how stores of earlier formats are kept among the tests.
///
/// For each file: length of the name (4 bytes, little-endian as all), name, size (8), number of blocks (4), and for each block of
/// 64 bytes that is not all zeros its number (4) and its bytes.
package enum SparseArchive {
  private static let blockByteCount = 64

  package static func pack(_ folder: String) throws -> Data {
    var archive = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let content = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
      append(UInt32(name.utf8.count), to: &archive)
      archive += name.utf8
      append(UInt64(content.count), to: &archive)
      let blocks = stride(from: 0, to: content.count, by: blockByteCount).filter { start in
        content[start..<min(start + blockByteCount, content.count)].contains { $0 != 0 }
      }
      append(UInt32(blocks.count), to: &archive)
      for start in blocks {
        append(UInt32(start / blockByteCount), to: &archive)
        let block = content[start..<min(start + blockByteCount, content.count)]
        archive += block + Data(count: blockByteCount - block.count)
      }
    }
    return archive
  }

  package static func unpack(_ archive: Data, to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var rest = archive[...]
    while !rest.isEmpty {
      let name = String(decoding: take(Int(takeNumber(UInt32.self, from: &rest)), from: &rest), as: UTF8.self)
      let size = Int(takeNumber(UInt64.self, from: &rest))
      var content = Data(count: size)
      for _ in 0..<takeNumber(UInt32.self, from: &rest) {
        let start = Int(takeNumber(UInt32.self, from: &rest)) * blockByteCount
        let block = take(blockByteCount, from: &rest)
        let end = min(start + blockByteCount, size)
        content.replaceSubrange(start..<end, with: block.prefix(end - start))
      }
      try content.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
  }

  private static func append<Number: FixedWidthInteger>(_ number: Number, to archive: inout Data) {
    withUnsafeBytes(of: number.littleEndian) { archive.append(contentsOf: $0) }
  }

  private static func take(_ count: Int, from rest: inout Data.SubSequence) -> Data {
    defer { rest = rest.dropFirst(count) }
    return Data(rest.prefix(count))
  }

  private static func takeNumber<Number: FixedWidthInteger>(
    _ type: Number.Type, from rest: inout Data.SubSequence
  ) -> Number {
    take(MemoryLayout<Number>.size, from: &rest).reversed().reduce(0) { $0 << 8 | Number($1) }
  }
}
