// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import SwiftSync

// Code whose only job is to compile without a warning: every form of identity, class and initializer.

// MARK: Identities

@Syncable @Model final class ByRemoteID {
  var remoteID: Int64
  init(remoteID: Int64) { self.remoteID = remoteID }
}

@Syncable @Model final class ByMarker {
  @PrimaryKey var code: String
  var id: Int?
  init(code: String) { self.code = code }
}

@Syncable @Model final class ByMarkerAndKey {
  @PrimaryKey @RemoteKey("k") var code: String
  init(code: String) { self.code = code }
}

@Syncable @Model final class ByRenamedID {
  @RemoteKey("uuid") var id: UUID
  init(id: UUID) { self.id = id }
}

// MARK: Classes

/// Not synced: the markers say nothing then.
@Model final class PlainModel {
  @RemoteKey("text") var name: String
  @NotExport var note: String?
  init(name: String) { self.name = name }
}

@Model open class OpenModel {
  public var id: Int
  public init(id: Int) { self.id = id }
}

@Syncable @Model package final class PackageModel {
  package var id: Int
  package init(id: Int) { self.id = id }
}

@Syncable @Model private final class PrivateModel {
  var id: Int
  init(id: Int) { self.id = id }
}

@Model class OverridableModel {
  private(set) var id: Int
  fileprivate var secret: String?
  init(id: Int) { self.id = id }
}

@Model final class EmptyModel {
  init() {}
}

enum Namespace {
  @Syncable @Model final class Nested {
    var id: Int
    var siblings: [Nested] = []
    init(id: Int) { self.id = id }
  }
}

/// Initializers that take different ways, fail, throw, delegate, and use the object once it is complete.
@Model final class ManyInitializers {
  var number: Int
  var text: String

  init(number: Int, isNegative: Bool) {
    if isNegative {
      self.number = -number
    } else {
      self.number = number
    }
    text = ""
    text += "\(self.number)"
    double()
  }

  init?(text: String) {
    guard let number = Int(text) else { return nil }
    self.number = number
    self.text = text
  }

  init(checking number: Int) throws {
    guard number >= 0 else { throw CocoaError(.coderInvalidValue) }
    self.number = number
    text = "checked"
  }

  convenience init() {
    self.init(number: 0, isNegative: false)
    text = "zero"
  }

  func double() { number *= 2 }
}

// MARK: Extensions

extension EmptyModel: CustomStringConvertible {
  var description: String { "nothing" }
}

// MARK: Actors

@ModelActor public actor Importer {
  public func insert(_ number: Int) throws -> PersistentIdentifier {
    let model = ByMarker(code: "\(number)")
    modelContext.insert(model)
    try modelContext.save()
    return model.persistentModelID
  }

  func code(of id: PersistentIdentifier) -> String? { self[id, as: ByMarker.self]?.code }
}

@ModelActor(disableGenerateInit: true) actor Reader {
  init(container: ModelContainer) {
    let context = ModelContext(container)
    context.autosaveEnabled = false
    modelExecutor = DefaultSerialModelExecutor(modelContext: context)
    modelContainer = container
  }
}
