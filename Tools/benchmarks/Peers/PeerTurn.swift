/// What one operation took from one peer.
struct PeerTurn: Codable {
  var milliseconds: Double
  /// The time that processors worked for it, all threads together: what is left when others of the machine are busy.
  var processorMilliseconds: Double
  /// How many rows it was about.
  var rows: Int
  /// Calls that ask for memory, of all threads.
  var allocations: Int
  /// Bytes given to the system to write.
  var writtenBytes: Int
  var syncs: Int
  /// The most memory that the process had meanwhile, the pages of the store's file that it looked at included.
  var peakBytes: Int
  /// The size of the store's files afterwards.
  var storeBytes = 0
  /// Parts of the time, from whom says it.
  var phases: [Phase] = []
}
