import TestSupport

@testable import KeyValueStore

/// A store whose content is a number: every write gives all of its entries the same one. So a state that is not one
/// moment's shows.
enum NumberedStore {
  static let keyCount = 60

  static func write(_ number: Int, to environment: Environment, _ table: Table) throws {
    try environment.write { transaction in
      for key in 0..<keyCount { try transaction.put(value(number, of: key), for: self.key(key), in: table) }
    }
  }

  /// The number of a store; nil when it is not one.
  static func number(in environment: Environment) throws -> Int? {
    let table = try environment.table("numbers")
    return try environment.read { snapshot in
      guard try snapshot.count(in: table) == keyCount, let first = try snapshot.value(for: key(0), in: table) else {
        return nil
      }
      let number = Array(first.prefix(8)).asNumber
      for key in 0..<keyCount where try snapshot.value(for: self.key(key), in: table) != value(number, of: key) {
        return nil
      }
      return number
    }
  }

  /// Some are long.
  private static func key(_ key: Int) -> [UInt8] {
    [UInt8](number: key) + (key % 10 == 3 ? [UInt8](repeating: 5, count: 900) : [])
  }

  /// Some have pages of their own.
  private static func value(_ number: Int, of key: Int) -> [UInt8] {
    [UInt8](number: number) + [UInt8](repeating: UInt8(key), count: key % 20 == 7 ? 9000 : key)
  }
}
