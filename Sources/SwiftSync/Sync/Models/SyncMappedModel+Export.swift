import Foundation

extension SyncMappedModel {
  /// The object as the JSON object that a backend would send: keys by annotation or style, dotted keys as nested objects, nil as
  /// `NSNull`, relationships as the full objects at the far end. An object that is reached again on the way down is an empty
  /// object there.
  public func _export(keyStyle: KeyStyle, dateFormatter: DateFormatter) -> [String: Any] {
    ModelExporter(
      plans: ExportPlans(keyStyle, ExportOptions()), dates: ExportDates(formatter: dateFormatter, isStandard: false)
    ).export(self)
  }
}
