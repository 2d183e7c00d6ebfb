import Foundation

/// What stands in for a `Codable` value in an object that has no row: every part of it nothing, zero or empty.
///
/// A property cannot throw, and an object may outlive its row. So there has to be a value, if the type has any such at all.
enum StandIn {
  /// Types may contain themselves; this deep nobody looks.
  fileprivate static let depthMax = 16

  /// - Returns: Nil for a type that refuses all of these, as an enum with associated values does.
  static func value<Value: Decodable>(of type: Value.Type) -> Value? {
    try? value(of: type, depth: 0)
  }

  fileprivate static func value<Value: Decodable>(of type: Value.Type, depth: Int) throws -> Value {
    if let known = (type as? any PersistentAttribute.Type)?.standIn as? Value { return known }
    if let none = (type as? any AnyOptional.Type)?.absent as? Value { return none }
    guard depth < depthMax else { throw CompositeError.absent }
    do {
      return try Value(from: Parts(depth: depth + 1))
    } catch {
      guard let first = (type as? any CaseIterable.Type)?.firstCase as? Value else { throw error }
      return first
    }
  }

  /// Gives a type's initialiser nothing, zero or the empty value for whatever it asks for.
  fileprivate struct Parts: Decoder {
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(Members(depth: depth))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements() }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(depth: depth) }
  }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try StandIn.value(of: type, depth: depth)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
      Parts(depth: depth).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { Elements() }
    func superDecoder() -> any Decoder { Parts(depth: depth) }
    func superDecoder(forKey key: Key) -> any Decoder { Parts(depth: depth) }
  }

  /// A list without elements.
  private struct Elements: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func decodeNil() throws -> Bool { throw CompositeError.absent }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw CompositeError.absent }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
      throw CompositeError.absent
    }

    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw CompositeError.absent }
    func superDecoder() throws -> any Decoder { throw CompositeError.absent }
  }

  private struct Single: SingleValueDecodingContainer {
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try StandIn.value(of: type, depth: depth)
    }
  }
}

extension CaseIterable {
  static var firstCase: Self? { allCases.first }
}
