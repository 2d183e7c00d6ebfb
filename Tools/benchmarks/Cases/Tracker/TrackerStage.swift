import Foundation
import Synchronization

/// The workload of a run and the stores that its cases begin with, each made when it is first asked for, in a process of its
/// own, and removed at the end.
final class TrackerStage: Sendable {
  private struct Made {
    var folder: WorkFolder
    var stores: Set<String> = []
  }

  private let made = Mutex<Made?>(nil)

  func workload(_ settings: Settings) throws -> TrackerWorkload {
    try made.withLock { try Self.workload(&$0, settings) }
  }

  /// The folder of a peer's store that has the first payload. It has to stay as it is.
  func store(of peer: Peer, isIndexed: Bool, _ settings: Settings) throws -> String {
    try made.withLock { made in
      let workload = try Self.workload(&made, settings)
      let path = "\(workload.path)/\(peer.rawValue)\(isIndexed ? "-indexed" : "")"
      if made?.stores.contains(path) != true {
        try PeerChild.fillStore.run(peer.rawValue, "\(isIndexed)", workload.path, path)
        try PageCache.sync(filesIn: path)
        made?.stores.insert(path)
      }
      return path
    }
  }

  private static func workload(_ made: inout Made?, _ settings: Settings) throws -> TrackerWorkload {
    if let made { return TrackerWorkload(path: made.folder.path) }
    let folder = try settings.workFolder(for: "tracker")
    try PeerChild.makeWorkload.run(folder.path, "\(settings.rowCount)")
    made = Made(folder: folder)
    return TrackerWorkload(path: folder.path)
  }
}
