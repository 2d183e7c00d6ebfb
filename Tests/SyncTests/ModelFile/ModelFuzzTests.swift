import Foundation
import TestSupport
import Testing

@testable import Sync

@Suite("CD-9 A damaged model file is a typed error or another model, and never the end of the process")
struct ModelFuzzTests {
  private let original = modelFile(
    """
    <entity name="User" parentEntity="Base" isAbstract="NO">
      <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString="0" minValueString="0"/>
      <attribute name="born" attributeType="Date" defaultDateTimeInterval="-978307200"/>
      <attribute name="nick" attributeType="String" regularExpressionString="[a-z]+"/>
      <relationship name="notes" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Note" inverseName="user" inverseEntity="Note"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="nick"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="Note"><relationship name="user" maxCount="1" destinationEntity="User" inverseName="notes" inverseEntity="User"/></entity>
    <entity name="Base" isAbstract="YES"><attribute name="id" attributeType="UUID"><userInfo><entry key="sync.isPrimaryKey" value="YES"/></userInfo></attribute></entity>
    """)

  @Test("CD-9 Mutations of a valid file", arguments: 1...4)
  func mutations(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pieces = original.split(separator: "\"").map { Array($0.utf8) }
    var readable = 0
    var refused = 0
    for _ in 0..<500 {
      var bytes = Array(original.utf8)
      for _ in 0...random.below(3) {
        let place = random.below(bytes.count)
        switch random.below(5) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(30)))
        case 2: bytes.insert(contentsOf: random.bytes(1 + random.below(4)), at: place)
        case 3: bytes.removeLast(bytes.count - place)
        default:
          // One quoted piece in the place of another, which is what people get wrong.
          var changed = pieces
          let source = random.below(pieces.count)
          changed[random.below(pieces.count)] = pieces[source]
          bytes = Array(changed.joined(separator: [UInt8(ascii: "\"")]))
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      do {
        let model = try ManagedObjectModel(xml: Data(bytes), path: "contents")
        try model.storage.schema.validate()
        readable += 1
      } catch is ModelFileError {
        refused += 1
      } catch is ModelError {
        refused += 1
      }
    }
    #expect(readable > 5)
    #expect(refused > 100)
  }
}
