import KeyValueStore

func count(_ clicks: Int, at path: String) async throws -> Int {
  // Clicks may be lost in a power cut, as long as nothing else is.
  let environment = try Environment(at: path, options: .init(durability: .relaxed(flushEvery: .seconds(1))))
  defer { environment.close() }
  let counts = try environment.table("counts")
  let logging = environment.observeEvents { event in
    if case .snapshotTooOld(let age) = event { print("A snapshot has been open for \(age).") }
  }
  defer { withExtendedLifetime(logging) {} }

  // Writes of many tasks at once share one sync, or none.
  try await withThrowingTaskGroup(of: Void.self) { group in
    for click in 0..<clicks {
      group.addTask {
        try await environment.write { try $0.put([], for: [UInt8(click % 256)], in: counts) }
      }
    }
    try await group.waitForAll()
  }

  // This one may not be lost, and a part of it is allowed to fail.
  try await environment.write(durability: .full) { transaction in
    try transaction.put([1], for: Array("settled".utf8), in: counts)
    try? transaction.nested { inner in
      try inner.removeAll(in: counts)
      throw CancellationError()
    }
  }
  return try environment.read { try $0.count(in: counts) }
}
