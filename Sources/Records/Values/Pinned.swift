/// A value with memory of its own, for state that is used many times for each row.
///
/// A stored property of a class is checked for overlapping accesses every time it is used, which costs more than most of these
/// uses do. This isn't checked. So it is for state that only one thread uses, and that nobody uses while it is being changed.
package struct Pinned<Value: ~Copyable>: ~Copyable {
  private let pointer: UnsafeMutablePointer<Value>

  package init(_ value: consuming Value) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: value)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }

  package var value: Value {
    @inline(__always) _read { yield pointer.pointee }
    @inline(__always) nonmutating _modify { yield &pointer.pointee }
  }
}
