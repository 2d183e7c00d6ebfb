/// Keeps the publisher of a property wrapper, which is made when it is first read, and made anew when something else is asked for.
///
/// A view of SwiftUI makes its wrappers again each time that it is drawn, with other values perhaps, and keeps only this.
@MainActor
final class WrappedPublisher<Publisher> {
  private var made: (form: ReadForm, publisher: Publisher)?

  nonisolated init() {}

  func publisher(of form: ReadForm, make: () -> Publisher) -> Publisher {
    if let made, made.form == form { return made.publisher }
    let publisher = make()
    made = (form, publisher)
    return publisher
  }
}

/// What is asked for, so that two queries can be compared. Predicates are compared by their texts, which have all their values.
struct ReadForm: Hashable {
  private let container: ObjectIdentifier
  private let parts: [AnyHashable?]

  init<Model: PersistentModel>(_ shape: SyncQueryShape<Model>, _ more: [AnyHashable?] = [], in container: SyncContainer)
  {
    self.container = ObjectIdentifier(container)
    let predicate = shape.predicate.map { ExpressionWriter(constantLengthMax: .max).text(of: $0.expression) }
    parts =
      [
        predicate, shape.sortBy, shape.limit, shape.offset, shape.refreshOn, shape.scope?.relationship, shape.scope?.id,
      ] + more
  }
}
