import FoundationEssentials

/// How the stored catalog writes a value: an object with one member, named for the type.
///
/// Numbers that JSON cannot hold exactly are texts, so that every value, infinities and NaN included, reads back as it was.
extension FieldValue: Codable {
  private enum Tag: String, CodingKey {
    case bool, int, uint, float, double, decimal, string, date, uuid, url, data, composite
  }

  @usableFromInline
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Tag.self)
    guard let tag = container.allKeys.first else {
      self = .null
      return
    }
    func text<Value>(_ convert: (String) -> Value?) throws -> Value {
      guard let value = convert(try container.decode(String.self, forKey: tag)) else {
        throw DecodingError.dataCorruptedError(
          forKey: tag, in: container, debugDescription: "It is no \(tag.rawValue).")
      }
      return value
    }
    switch tag {
    case .bool: self = .bool(try container.decode(Bool.self, forKey: tag))
    case .int: self = .int(try container.decode(Int64.self, forKey: tag))
    case .uint: self = .uint(try container.decode(UInt64.self, forKey: tag))
    case .float: self = .float(try text(Float.init))
    case .double: self = .double(try text(Double.init))
    case .decimal: self = .decimal(try text { $0 == "NaN" ? .nan : Decimal(string: $0) })
    case .string: self = .string(try container.decode(String.self, forKey: tag))
    case .date: self = .date(Date(timeIntervalSinceReferenceDate: try text(Double.init)))
    case .uuid: self = .uuid(try text(UUID.init(uuidString:)))
    case .url: self = .url(try container.decode(String.self, forKey: tag))
    case .data: self = .data(try container.decode(Data.self, forKey: tag))
    case .composite: self = .composite(Data(try container.decode(String.self, forKey: tag).utf8))
    }
  }

  @usableFromInline
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Tag.self)
    switch self {
    // The catalog has values for records from before, whose contents are all inside.
    case .null, .external: break
    case .bool(let value): try container.encode(value, forKey: .bool)
    case .int(let value): try container.encode(value, forKey: .int)
    case .uint(let value): try container.encode(value, forKey: .uint)
    case .float(let value): try container.encode("\(value)", forKey: .float)
    case .double(let value): try container.encode("\(value)", forKey: .double)
    case .decimal(let value): try container.encode("\(value)", forKey: .decimal)
    case .string(let value): try container.encode(value, forKey: .string)
    case .date(let value): try container.encode("\(value.timeIntervalSinceReferenceDate)", forKey: .date)
    case .uuid(let value): try container.encode(value.uuidString, forKey: .uuid)
    case .url(let value): try container.encode(value, forKey: .url)
    case .data(let value): try container.encode(value, forKey: .data)
    case .composite(let value): try container.encode(String(decoding: value, as: UTF8.self), forKey: .composite)
    }
  }
}
