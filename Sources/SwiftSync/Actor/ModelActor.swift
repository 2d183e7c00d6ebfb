/// An actor with a context of its own, for work off the main actor. Apply `@ModelActor` to an actor instead of conforming it by
/// hand.
///
/// ```swift
/// @ModelActor actor Importer {
///   func rename(_ id: PersistentIdentifier, to name: String) throws {
///     self[id, as: Project.self]?.name = name
///     try modelContext.save()
///   }
/// }
/// ```
///
/// Objects stay with the actor; their `persistentModelID` travels. What others commit is in the context's objects whenever the
/// actor goes on after an `await`.
public protocol ModelActor: Actor {
  /// The container of the actor's context.
  nonisolated var modelContainer: ModelContainer { get }
  /// Where the actor runs.
  nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
  /// The executor as the runtime wants it.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { modelExecutor.asUnownedSerialExecutor() }

  /// The actor's context.
  public var modelContext: ModelContext { modelExecutor.modelContext }

  /// The object with an identifier; nil when there is none, or one of another class.
  public subscript<Model: PersistentModel>(id: PersistentIdentifier, as type: Model.Type) -> Model? {
    let model = modelContext.model(for: id) as? Model
    return model?.isDeleted == false ? model : nil
  }
}

/// Runs the code of a model actor, and has its context.
public protocol ModelExecutor: SerialExecutor {
  /// The context of the actor that runs here. Only code of that actor may use it.
  var modelContext: ModelContext { get }
}

/// The name of SwiftData for what every model executor is here.
public typealias SerialModelExecutor = ModelExecutor
