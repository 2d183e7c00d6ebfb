import Foundation

/// The names that filling and exporting had before they were methods of every object.
extension ManagedObject {
  /// Takes over what a payload says about attributes, as `fill(with:)` does.
  @available(*, deprecated, renamed: "fill(with:)")
  public final func hyp_fill(with changes: [String: Any]) throws { try fill(with: changes) }

  /// The object as JSON with relationships in the style of Rails, which was the usual one of these names.
  @available(*, deprecated, message: "Use export(using:) with the relationship type nested.")
  public final func hyp_dictionary() -> [String: Any] { former() }

  /// The object as JSON with keys of a style, and relationships in the style of Rails.
  @available(*, deprecated, message: "Use export(using:).")
  public final func hyp_dictionary(using inflectionType: InflectionType) -> [String: Any] {
    former(inflectionType)
  }

  /// The object as JSON with relationships as they are asked for.
  @available(*, deprecated, message: "Use export(using:).")
  public final func hyp_dictionary(using relationshipType: RelationshipType) -> [String: Any] {
    former(.snakeCase, relationshipType)
  }

  /// The object as JSON with keys of a style, and relationships as they are asked for.
  @available(*, deprecated, message: "Use export(using:).")
  public final func hyp_dictionary(
    using inflectionType: InflectionType, andRelationshipType relationshipType: RelationshipType
  ) -> [String: Any] {
    former(inflectionType, relationshipType)
  }

  /// The object as JSON with dates by a formatter, and relationships in the style of Rails.
  @available(*, deprecated, message: "Use export(using:).")
  public final func hyp_dictionary(with dateFormatter: DateFormatter) -> [String: Any] {
    former(.snakeCase, .nested, dateFormatter)
  }

  /// The object as JSON with dates by a formatter, and relationships as they are asked for.
  @available(*, deprecated, message: "Use export(using:).")
  public final func hyp_dictionary(
    with dateFormatter: DateFormatter, using relationshipType: RelationshipType
  ) -> [String: Any] {
    former(.snakeCase, relationshipType, dateFormatter)
  }

  private func former(
    _ inflectionType: InflectionType = .snakeCase, _ relationshipType: RelationshipType = .nested,
    _ dateFormatter: DateFormatter? = nil
  ) -> [String: Any] {
    var options = ExportOptions()
    options.inflectionType = inflectionType
    options.relationshipType = relationshipType
    options.dateFormatter = dateFormatter
    return export(using: options)
  }
}
