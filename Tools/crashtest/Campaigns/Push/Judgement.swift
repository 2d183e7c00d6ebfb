import SwiftSync
import TestSupport

/// What a client makes of rows that both sides have changed.
enum Judgement: CaseIterable {
  case localWins
  case serverWins
  case newestByAttribute
  /// One thing for some rows, and another for others.
  case byRow

  /// Whether an edit stays as it is until the server has heard of it.
  var keepsEdits: Bool { self == .localWins }

  var policy: SyncConflictPolicy {
    switch self {
    case .localWins: .localWins
    case .serverWins: .serverWins
    case .newestByAttribute: .newestByAttribute()
    case .byRow:
      .custom { conflict in
        switch conflict.identity.utf8.reduce(0, { $0 &+ $1 }) % 3 {
        case 0: .local
        case 1: .server
        default: .merge(server: ["title", "descriptionText", "project", "updatedAt"])
        }
      }
    }
  }

  static func random(_ random: inout SplitMix64) -> Judgement {
    random.chance(60) ? .localWins : allCases[random.below(allCases.count)]
  }
}
