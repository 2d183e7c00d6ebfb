/// What was unsaved in a context at one moment, so that it can be brought back.
struct EditCheckpoint {
  /// An object as it was.
  private struct Memento {
    let model: any PersistentModel
    let state: ModelBacking.State
    let slots: [ModelBacking.Slot]
    let unconnected: [Int]
    let binding: ModelBinding?

    init(_ model: any PersistentModel) {
      let backing = model._$backing
      self.model = model
      state = backing.state
      slots = backing.slots
      unconnected = backing.unconnected
      binding = backing.binding
    }

    func restore(in graph: ObjectGraph) {
      let backing = model._$backing
      // Another context has deleted the row meanwhile.
      if state != .inserted, backing.state == .gone { return }
      backing.state = state
      backing.slots = slots
      backing.unconnected = unconnected
      backing.binding = binding
      backing.graph = graph
      backing.isForgotten = false
    }
  }

  private let context: ModelContext
  private let unsaved: Unsaved
  private let mementos: [Memento]
  private let saveCount: Int
  private let mayHideMembers: Bool
  private let failure: ObjectGraph.Failure?

  init(of context: ModelContext) {
    self.context = context
    unsaved = context.unsaved
    mementos = unsaved.objects.map(Memento.init)
    saveCount = context.saveCount
    mayHideMembers = context.graph.mayHideMembers
    failure = context.graph.failure
  }

  /// Undoes all edits since. What was saved since cannot be undone; then everything that is unsaved is rolled back.
  ///
  /// What was to be thrown then and has not been is thrown still; what edits since have made to be thrown is undone with them.
  func restore() {
    let isFailurePending = failure != nil && context.graph.failure?.number == failure?.number
    // Observers see what is there in the end, not what lies between.
    context.announcing {
      context.rollback()
      if isFailurePending { context.graph.failure = failure }
      if context.saveCount != saveCount { return }
      for memento in mementos { memento.restore(in: context.graph) }
      context.unsaved = unsaved.withoutGoneObjects
      if mayHideMembers { context.graph.mayHideMembers = true }
      for memento in mementos {
        for property in type(of: memento.model).modelTable.properties
        where property.slot < memento.slots.count && !memento.slots[property.slot].content.isAbsent {
          context.announce(property, of: memento.model)
        }
      }
    }
  }
}
