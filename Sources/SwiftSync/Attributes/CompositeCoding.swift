import Foundation
import Records
import SyncEngine

/// The JSON text in which a record keeps `Codable` values that have no column type of their own.
///
/// JSON with sorted keys is readable without the application, and equal values give equal bytes.
enum CompositeCoding {
  /// Reads payload JSON as a type's, and gives it the form in which the type itself would be stored.
  static func reader<Value: Codable & SendableMetatype>(_ type: Value.Type) -> AttributeReader {
    let empty = FieldValue.composite(Data("[]".utf8))
    let isList = (try? decode(type, from: empty)) != nil
    return AttributeReader(emptyValue: isList ? empty : nil) { field in
      (try? decode(type, from: field)).flatMap { try? encode($0) }
    }
  }

  static func encode<Value: Codable>(_ value: Value) throws -> FieldValue {
    if (value as? any AnyOptional)?.isNil == true { return .null }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
    return .composite(try encoder.encode(value))
  }

  /// - Throws: `CompositeError.absent` for null where the type is not optional, or what the type's decoder throws.
  static func decode<Value: Decodable>(_ type: Value.Type, from field: FieldValue) throws -> Value {
    switch field {
    case .composite(let text):
      let decoder = JSONDecoder()
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
      return try decoder.decode(type, from: text)
    default:
      guard let none = (type as? any AnyOptional.Type)?.absent as? Value else { throw CompositeError.absent }
      return none
    }
  }
}

/// Why a `Codable` attribute has no value.
enum CompositeError: Error {
  case absent
}

/// Lets generic code see through optionals.
protocol AnyOptional {
  static var absent: Self { get }
  static var wrappedType: Any.Type { get }
  var isNil: Bool { get }
  var wrapped: Any? { get }
}

extension Optional: AnyOptional {
  static var absent: Wrapped? { nil }
  static var wrappedType: Any.Type { Wrapped.self }
  var isNil: Bool { self == nil }
  var wrapped: Any? { self }
}
