import Foundation

/// What stands in for a `Codable` value in an object that has no row: every part of it nothing, zero or empty.
///
/// A property cannot throw, and an object may outlive its row. So there has to be a value, if the type has any such at all.
enum StandIn {
  /// Types may contain themselves; this deep nobody looks.
  fileprivate static let depthMax = 16

  /// - Returns: Nil for a type that refuses all of these, as one does that must contain itself.
  static func value<Value: Decodable>(of type: Value.Type) -> Value? {
    try? value(of: type, depth: 0)
  }

  fileprivate static func value<Value: Decodable>(of type: Value.Type, depth: Int) throws -> Value {
    if let known = (type as? any PersistentAttribute.Type)?.standIn as? Value { return known }
    if let none = (type as? any AnyOptional.Type)?.absent as? Value { return none }
    if let first = (type as? any CaseIterable.Type)?.firstCase as? Value { return first }
    guard depth < depthMax else { throw CompositeError.absent }
    do {
      return try Value(from: Parts(depth: depth + 1))
    } catch {
      // An enum whose raw values are others than the raw type's stand-in.
      guard type is any RawRepresentable.Type, let first = ZeroBits.value(of: type) else { throw error }
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

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(depth: depth) }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(depth: depth) }
  }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    /// What has to have a key, as an enum with associated values, has its first one. That of an enum's only case is not to be told from
    /// that of an enum without cases, so there is none.
    var allKeys: [Key] { MemoryLayout<Key>.size == 0 ? [] : ZeroBits.value(of: Key.self).map { [$0] } ?? [] }

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

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { Elements(depth: depth) }
    func superDecoder() -> any Decoder { Parts(depth: depth) }
    func superDecoder(forKey key: Key) -> any Decoder { Parts(depth: depth) }
  }

  /// A list without elements. Who asks for one all the same must have some, as a point that is written as two numbers.
  private struct Elements: UnkeyedDecodingContainer {
    /// Who asks until there is no more gets no more than this.
    private static let countMax = 64

    let depth: Int
    var currentIndex = 0

    init(depth: Int) {
      self.depth = depth
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }

    private mutating func next() throws -> Parts {
      guard currentIndex < Self.countMax else { throw CompositeError.absent }
      currentIndex += 1
      return Parts(depth: depth)
    }

    mutating func decodeNil() throws -> Bool {
      _ = try next()
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      _ = try next()
      return try StandIn.value(of: type, depth: depth)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
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

/// The value of a small type whose bits are all 0.
enum ZeroBits {
  /// For an enum without associated values it is the first case: such an enum is represented by the number of the case, from 0, in
  /// one byte or two, or in none if there is only one. Whatever else is as small and has no pointers in it has a value whose bits
  /// are 0.
  ///
  /// - Returns: Nil for a type that is larger, or has pointers in it.
  static func value<Value>(of type: Value.Type) -> Value? {
    guard MemoryLayout<Value>.size <= MemoryLayout<UInt16>.size, _isPOD(type) else { return nil }
    return withUnsafeBytes(of: UInt64(0)) { $0.baseAddress?.assumingMemoryBound(to: type).pointee }
  }
}

extension RawRepresentable where RawValue: PersistentAttribute {
  /// What stands in for a case in an object that has no row: the one of the raw type's stand-in, or the first. Nil for what has raw
  /// values and is no enum, and refuses that raw value.
  static var standIn: Self? {
    Self(rawValue: .standIn) ?? (Self.self as? any CaseIterable.Type).flatMap { $0.firstCase as? Self }
      ?? ZeroBits.value(of: Self.self)
  }
}
