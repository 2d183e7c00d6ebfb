import Foundation
import TestSupport
import Testing

@testable import SyncEngine

@Suite("11.3, 6.5: The text forms of an export")
struct ExportTextTests {
  @Test func datesAreWrittenAsTheFormatterWritesThem() {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSSXXXXX"
    var random = SplitMix64(seed: 3)
    var seconds: [Double] = [0, -978_307_200, 0.1234, 0.9996, 721_692_800, -0.001, -978_307_200.5, 1e9 + 0.0005]
    for _ in 0..<300 { seconds.append(.random(in: -4e9...8e9, using: &random)) }
    for value in seconds {
      let date = Date(timeIntervalSinceReferenceDate: value)
      #expect(DateFormat.text(of: value) == formatter.string(from: date), "\(value)")
    }
  }

  @Test func strangeDatesAreTextToo() {
    #expect(DateFormat.text(of: .infinity) == "inf")
    #expect(DateFormat.text(of: 1e30) == "1e+30")
  }

  @Test func writesCanonicalJSON() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.writeKey("text")
    writer.writeString("a\"b\\c\n\u{1}é/")
    writer.writeKey("numbers")
    writer.beginArray()
    writer.write(-5)
    writer.write(UInt64.max)
    writer.write(0.1)
    writer.write(Float(0.1))
    writer.write(Decimal(string: "12.50") ?? 0)
    writer.write(Double.nan)
    writer.write(-Double.infinity)
    writer.endArray()
    writer.writeKey("empty")
    writer.beginObject()
    writer.endObject()
    writer.writeKey("other")
    writer.beginArray()
    writer.writeNull()
    writer.write(true)
    writer.write(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xFF)))
    writer.writeDate(0)
    writer.endArray()
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"text":"a\"b\\c\n\u0001é/","numbers":[-5,18446744073709551615,0.1,0.1,12.5,"NaN","-Infinity"],"#
        + #""empty":{},"other":[null,true,"00010203-0405-0607-0809-0A0B0C0D0EFF","2001-01-01T00:00:00.000Z"]}"#)
  }

  @Test func base64IsThatOfFoundation() {
    var random = SplitMix64(seed: 4)
    for count in 0..<40 {
      let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      var writer = JSONWriter()
      data.withUnsafeBytes { writer.writeData($0) }
      #expect(String(decoding: writer.bytes, as: UTF8.self) == "\"\(data.base64EncodedString())\"")
    }
  }

  @Test func drainsInPieces() {
    var writer = JSONWriter()
    var output: [UInt8] = []
    var pieces = 0
    writer.beginArray()
    for number in 0..<100 {
      writer.write(number)
      writer.drain(atLeast: 64) {
        output.append(contentsOf: $0); pieces += 1
      }
    }
    writer.endArray()
    writer.drain {
      output.append(contentsOf: $0); pieces += 1
    }
    #expect(String(decoding: output, as: UTF8.self) == "[" + (0..<100).map(String.init).joined(separator: ",") + "]")
    #expect(pieces > 2)
    #expect(writer.bytes.isEmpty)
  }
}
