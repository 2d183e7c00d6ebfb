import Foundation
import Records
import SyncEngine

extension AttributeDescription {
  /// Whether payloads have values of the attribute. What a transformable attribute without transformer holds is the application's
  /// alone.
  var isRead: Bool { !isTransient && (type != .transformable || transformerName != nil) }

  /// The transformer that values go through.
  var transformerName: String? { customTransformerName ?? valueTransformerName }

  /// Reads the values of a payload, where the attribute's type in the store doesn't say how. A value that the model does not allow
  /// is none that can be stored.
  var reader: AttributeReader? {
    let bounds = ValueBounds(self)
    guard let read = conversion ?? (bounds == nil ? nil : plainConversion) else { return nil }
    return .converting { value in
      guard let result = read(value), bounds?.allow(result.field) ?? true else { return nil }
      return result
    }
  }

  private typealias Conversion = @Sendable (PayloadValue) -> NativeCoercion.Result?

  /// The conversion of an attribute whose type in the store is not all there is to say.
  private var conversion: Conversion? {
    if let name = transformerName { return transformation(name) }
    switch type {
    case .binaryData: return { AttributeDescription.binary($0) }
    case .decimal:
      // A text that only begins as a number is none.
      let read = plainConversion
      return { value in read(value).flatMap { $0.isWhole ? $0 : nil } }
    default: return nil
    }
  }

  private var plainConversion: Conversion {
    let type = type.storedType
    return { NativeCoercion.convert($0, to: type) }
  }

  /// What comes out of the transformer counts, not what the payload has. Without the transformer it is the other way round.
  private func transformation(_ name: String) -> Conversion {
    let type = type
    return { value in
      guard let transformer = ValueTransformers.named(name) else {
        return type == .binaryData
          ? AttributeDescription.binary(value)
          : type == .transformable ? nil : NativeCoercion.convert(value, to: type.storedType)
      }
      guard let result = transformer.transformedValue(value.native) else { return nil }
      switch type {
      case .transformable:
        return TransformedValue.encode(result).map { NativeCoercion.Result(field: $0, isWhole: true) }
      case .binaryData: return (try? PayloadDocument(result))?.read { AttributeDescription.binary($0) }
      default: return NativeCoercion.convert(result, to: type.storedType)
      }
    }
  }

  /// Bytes as they are, and of everything else the JSON text.
  private static func binary(_ value: PayloadValue) -> NativeCoercion.Result? {
    if value.kind == .data { return NativeCoercion.Result(field: .data(Data(value.bytes)), isWhole: true) }
    guard let result = NativeCoercion.convert(value, to: .composite), case .composite(let json) = result.field
    else { return nil }
    return NativeCoercion.Result(field: .data(json), isWhole: result.isWhole)
  }
}
