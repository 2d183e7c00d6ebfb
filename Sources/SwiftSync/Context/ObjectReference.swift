import CSwiftRuntime

/// A reference to an object that does not keep it alive, and reads as nil from the moment when the object begins to be destroyed: as
/// `weak` does, at less than a fifth of its cost.
///
/// A weak reference gives its object a side table, through which from then on all counting goes. This one is `unowned`, which adds to
/// a count in the object's header. The header's memory is kept until that count is given back, whatever becomes of the object; what
/// the object held is free at once. Reading an unowned reference to an object that is gone would end the process, so the object is
/// first retained if it can be, by the function of the runtime with which it loads weak references. It looks at the
/// header, which is there, and it decides in one atomic step: between two threads, of which one drops the last reference and the other
/// reads this one, and in a `deinit` that looks for its own object. When it has retained the object, that is there until it is
/// released again, so the unowned reference may be read.
struct ObjectReference {
  private let address: UnsafeMutableRawPointer?
  private unowned let object: (any PersistentModel)?

  /// A reference to nothing.
  init() {
    address = nil
    object = nil
  }

  init(to model: any PersistentModel) {
    address = Unmanaged<AnyObject>.passUnretained(model).toOpaque()
    object = model
  }

  /// The object, if it is there.
  var model: (any PersistentModel)? {
    guard let address, let retained = swift_tryRetain(address) else { return nil }
    defer { Unmanaged<AnyObject>.fromOpaque(retained).release() }
    return object
  }

  /// Whether the object is there.
  var isAlive: Bool {
    guard let address, let retained = swift_tryRetain(address) else { return false }
    Unmanaged<AnyObject>.fromOpaque(retained).release()
    return true
  }
}
