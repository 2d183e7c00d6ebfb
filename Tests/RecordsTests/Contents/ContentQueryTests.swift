import FoundationEssentials
import Testing

@testable import Records

/// Conditions and orders see the same values wherever they lie.
@Suite struct ContentQueryTests {
  private static let lengths = [nil, 0, 5, Gallery.insideMax, Gallery.insideMax + 1, Gallery.insideMax * 2]

  /// The same photos in two stores; in the second one, everything is inside of the records.
  private func galleries() throws -> [Gallery] {
    try [AttributeOptions.externalStorage, []].map { options in
      let gallery = try Gallery(
        Gallery.schema(
          Gallery.attributes.map { attribute in
            var attribute = attribute
            attribute.options = options
            return attribute
          }))
      for (id, length) in Self.lengths.enumerated() {
        for seed in UInt8(0)..<2 {
          let values = ["image", "note", "page", "info"].map { name in (name, Gallery.value(of: name, length, seed)) }
          _ = try gallery.insert(Int64(id * 2 + Int(seed)), Dictionary(uniqueKeysWithValues: values))
        }
      }
      return gallery
    }
  }

  private static func conditions(_ photo: Entity) throws -> [Condition] {
    let long = Gallery.insideMax + 1
    return try ["image", "note", "page", "info"].flatMap { (name: String) -> [Condition] in
      let field = try #require(photo.attribute(named: name)).field
      let value = Gallery.value(of: name, long, 1)
      var conditions: [Condition] = [
        .isNull(.field(field)), .not(.isNull(.field(field))),
        .oneOf(.field(field), [.null, value, Gallery.value(of: name, 5)]),
        .compare(.coalesce(.field(field), .constant(value)), .equal, .constant(value)),
      ]
      for comparison in [Comparison.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] {
        conditions.append(.compare(.field(field), comparison, .constant(value)))
      }
      conditions.append(.compare(.field(field), .equal, .constant(.null)))
      if name == "note" || name == "page" {
        for place in [TextMatch.Place.contains, .hasPrefix, .hasSuffix] {
          conditions.append(.text(field, TextMatch(place), "bip"))
        }
        conditions.append(.compare(.length(.field(field)), .greater, .constant(.int(Int64(Gallery.insideMax)))))
      }
      return conditions
    }
  }

  @Test func conditionsAndOrdersAgree() throws {
    let galleries = try galleries()
    let results = try galleries.map { gallery in
      try gallery.store.read { snapshot in
        let photo = try snapshot.entity("Photo")
        let found = try Self.conditions(photo).map { condition in
          try snapshot.rows(snapshot.plan(RecordQuery(photo, where: condition)))
        }
        let orders = try ["image", "note", "page"].flatMap { (name: String) -> [[RowNumber]] in
          let field = try #require(photo.attribute(named: name)).field
          return try [true, false].map { isAscending in
            try snapshot.rows(
              snapshot.plan(RecordQuery(photo, order: [OrderTerm(.field(field), ascending: isAscending)])))
          }
        }
        return found + orders
      }
    }
    #expect(try galleries[0].store.contentCount() == 16)
    #expect(results[0] == results[1])
    #expect(results[0].contains { !$0.isEmpty && $0.count < 12 })
  }
}
