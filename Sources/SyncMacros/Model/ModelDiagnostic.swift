import SwiftDiagnostics

/// What `@Model` and the markers of a model cannot accept.
enum ModelDiagnostic: DiagnosticMessage {
  case notAClass
  case generic
  case mainActor
  case conditional
  case constantWithoutDefault(String)
  case transientWithoutDefault(String)
  case modifier(String, String)
  case observer(String, String)
  case severalBindings
  case markerWithoutEffect(String)

  var message: String {
    switch self {
    case .notAClass:
      "@Model can only be applied to a class"
    case .generic:
      "a model class cannot be generic: the schema has one entity for each class"
    case .mainActor:
      "a model class cannot belong to the main actor: every context makes objects of it, on whatever actor it runs"
    case .conditional:
      "#if cannot surround a part of the schema: a store has to look the same to every build"
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
    case .markerWithoutEffect(let marker):
      "@\(marker) has no effect here: the property is not persisted"
    }
  }

  private var id: String {
    switch self {
    case .notAClass: "not-a-class"
    case .generic: "generic-class"
    case .mainActor: "main-actor-class"
    case .conditional: "conditional-schema"
    case .constantWithoutDefault: "constant-without-default"
    case .transientWithoutDefault: "transient-without-default"
    case .modifier: "modifier-of-plain-storage"
    case .observer: "observed-property"
    case .severalBindings: "several-bindings"
    case .markerWithoutEffect: "marker-without-effect"
    }
  }

  var diagnosticID: MessageID { MessageID(domain: "SwiftSync.ModelMacro", id: id) }

  var severity: DiagnosticSeverity {
    if case .markerWithoutEffect = self { .warning } else { .error }
  }
}
