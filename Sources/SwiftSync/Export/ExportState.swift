import Foundation

/// Which objects the present thread is exporting, so that an export of objects that lead to each other ends.
///
/// Exports of mapped models see to it by themselves, also where hand-written ones lie between them. A hand-written `export` that
/// exports objects which may lead back to it asks:
///
/// ```swift
/// func export(keyStyle: KeyStyle, dateFormatter: DateFormatter) -> [String: Any] {
///   guard ExportState.enter(self) else { return [:] }
///   defer { ExportState.leave(self) }
///   …
/// }
/// ```
public enum ExportState {
  private static let key = "SwiftSync.ExportState"

  /// Begins the export of an object.
  /// - Returns: false if it is being exported already, further up.
  public static func enter<Model: PersistentModel>(_ model: Model) -> Bool { path.enter(model) }

  /// Ends the export of an object that `enter` has begun.
  public static func leave<Model: PersistentModel>(_ model: Model) { path.leave(model) }

  /// The objects from the outermost one down.
  static var path: ExportPathState {
    if let path = Thread.current.threadDictionary[key] as? ExportPathState { return path }
    let path = ExportPathState()
    Thread.current.threadDictionary[key] = path
    return path
  }
}

/// The objects of one thread that are being exported.
final class ExportPathState {
  private var objects: Set<ObjectIdentifier> = []

  var depth: Int { objects.count }

  func enter(_ model: any PersistentModel) -> Bool { objects.insert(ObjectIdentifier(model)).inserted }

  func leave(_ model: any PersistentModel) { objects.remove(ObjectIdentifier(model)) }
}
