import Glibc
import TestSupport

/// What a crash leaves of a store's folder.
struct CrashImage: Sendable {
  var files: [String: [UInt8]]
  /// How it was made, for whoever looks at a failure.
  var rules: [String] = []

  /// Writes the files into a folder, which is emptied before.
  func write(to folder: String) throws {
    try Folder.empty(folder)
    for (name, bytes) in files { try Folder.write(bytes, to: "\(folder)/\(name)") }
  }
}

extension Medium {
  /// Names whose content the store keeps in shared memory, and which are worth nothing once all processes are dead.
  static let volatileNames: Set<String> = ["lock.mdb", "creating.mdb-lock"]

  /// The folder after the death of the process: everything that was written is there.
  func imageOfProcessCrash(_ random: inout SplitMix64) -> CrashImage {
    var image = CrashImage(files: [:], rules: ["process crash"])
    for (name, file) in names { image.files[name] = files[file].cached }
    image.replaceVolatileFiles(&random)
    return image
  }

  /// The folder after a power cut.
  func imageOfPowerCut(garbage: Bool, _ random: inout SplitMix64) -> CrashImage {
    var image = CrashImage(files: [:], rules: ["power cut"])
    for (name, file) in namesAfterPowerCut(&random, &image.rules).sorted(by: { $0.key < $1.key }) {
      let rule = random.pick(CrashRule.allCases) ?? .none
      if !files[file].pending.isEmpty { image.rules.append("\(name): \(rule.rawValue)") }
      image.files[name] = files[file].image(after: rule, garbage: garbage, &random)
    }
    image.replaceVolatileFiles(&random)
    return image
  }

  private func namesAfterPowerCut(_ random: inout SplitMix64, _ rules: inout [String]) -> [String: Int] {
    var names = durableNames
    if pendingNames.isEmpty { return names }
    let isPrefix = random.chance(60)
    let count = random.below(pendingNames.count + 1)
    for (index, (_, change)) in pendingNames.enumerated() where isPrefix ? index < count : random.chance(50) {
      change.apply(to: &names)
      rules.append("names: \(change)")
    }
    return names
  }
}

extension CrashImage {
  fileprivate mutating func replaceVolatileFiles(_ random: inout SplitMix64) {
    for name in Medium.volatileNames where files[name] != nil {
      switch random.below(3) {
      case 0: files[name] = nil
      case 1: files[name] = []
      default: files[name] = random.bytes(8192)
      }
    }
  }
}
