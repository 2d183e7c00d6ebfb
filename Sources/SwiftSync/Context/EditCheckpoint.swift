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
  private let unsaved: ModelContext.Unsaved
  private let mementos: [Memento]
  private let saveCount: Int
  private let mayHideMembers: Bool

  init(of context: ModelContext) {
    self.context = context
    unsaved = context.unsaved
    mementos = unsaved.objects.map(Memento.init)
    saveCount = context.saveCount
    mayHideMembers = context.graph.mayHideMembers
  }

  /// Undoes all edits since. What was saved since cannot be undone; then everything that is unsaved is rolled back.
  func restore() {
    // Observers see what is there in the end, not what lies between.
    context.announcing {
      context.rollback()
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

extension ModelContext {
  /// What the next save writes.
  struct Unsaved {
    var inserted: ObjectSet
    var edited: ObjectSet
    var deleted: ObjectSet
    var touched: ObjectSet
    var refusal: ModelError?

    var objects: [any PersistentModel] { inserted.objects + edited.objects + deleted.objects + touched.objects }

    var withoutGoneObjects: Unsaved {
      var result = self
      for model in objects where model._$backing.state == .gone {
        result.edited.remove(model)
        result.deleted.remove(model)
        result.touched.remove(model)
      }
      return result
    }
  }

  var unsaved: Unsaved {
    get { Unsaved(inserted: inserted, edited: edited, deleted: deleted, touched: touched, refusal: refusal) }
    set {
      inserted = newValue.inserted
      edited = newValue.edited
      deleted = newValue.deleted
      touched = newValue.touched
      refusal = newValue.refusal
    }
  }
}
