import SwiftDiagnostics

/// What `@Model` cannot accept.
enum ModelDiagnostic: DiagnosticMessage {
  case notAClass
  case generic
  case constantWithoutDefault(String)
  case transientWithoutDefault(String)
  case modifier(String, String)
  case observer(String, String)
  case severalBindings

  var message: String {
    switch self {
    case .notAClass:
      "@Model can only be applied to a class"
    case .generic:
      "a model class cannot be generic: the schema has one entity for each class"
    case .constantWithoutDefault(let name):
      "'let \(name)' cannot be restored from the store: make it a 'var', or give it a value here"
    case .transientWithoutDefault(let name):
      "@Transient property '\(name)' needs a default value, because it is not restored from the store"
    case .modifier(let name, let modifier):
      "persisted property '\(name)' cannot be \(modifier): remove '\(modifier)', or mark the property @Transient"
    case .observer(let name, let observer):
      """
      persisted property '\(name)' cannot have a '\(observer)' observer, because a sync changes it without running \
      setters: use Observation, or mark the property @Transient
      """
    case .severalBindings:
      "declare each persisted property on its own"
    }
  }

  private var id: String {
    switch self {
    case .notAClass: "not-a-class"
    case .generic: "generic-class"
    case .constantWithoutDefault: "constant-without-default"
    case .transientWithoutDefault: "transient-without-default"
    case .modifier: "modifier-of-plain-storage"
    case .observer: "observed-property"
    case .severalBindings: "several-bindings"
    }
  }

  var diagnosticID: MessageID { MessageID(domain: "SwiftSync.ModelMacro", id: id) }

  var severity: DiagnosticSeverity { .error }
}
