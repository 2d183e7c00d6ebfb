extension Environment {
  /// What an environment is opened for.
  public enum Access: Sendable, Hashable {
    /// Reading and writing, by one process at a time.
    case readWrite
    /// Reading only, also while another process writes.
    case readOnly
  }

  /// How an environment is opened.
  public struct Options: Sendable, Hashable {
    /// A smaller map is not worth having: the store alone needs a few pages.
    static let mapBytesMin = 64 << 10
    /// Every snapshot has room for every table, and every reader a place in a file, so both have to be limited.
    private static let tablesAllowed = 0...65_535
    private static let readersAllowed = 1...65_535

    /// What it is opened for.
    public var access: Access
    /// How much address space is reserved for the data file at first. It takes neither memory nor disk space, and is
    /// doubled when it no longer suffices, which has to wait for open snapshots. So it is large.
    public var mapBytesInitial: Int
    /// How many tables the store may have, up to 65535.
    public var tablesMax: Int
    /// How many snapshots, of all processes together, may be open at a time at least, up to 65535. The first process that opens
    /// the store decides.
    public var readersMax: Int

    /// What a write has survived when its call returns, unless the call says otherwise. Each handle has its own.
    public var durability: Durability
    /// When a snapshot has been open for longer than this, a `StoreEvent.snapshotTooOld` tells of it.
    public var snapshotAgeMax: Duration
    /// When checkpoints are due.
    package var checkpoints = CheckpointLimits()

    /// The options, all of which have a sensible default.
    public init(
      access: Access = .readWrite, mapBytesInitial: Int = 64 << 30, tablesMax: Int = 1024, readersMax: Int = 512,
      durability: Durability = .full, snapshotAgeMax: Duration = .seconds(60)
    ) {
      self.durability = durability
      self.snapshotAgeMax = snapshotAgeMax
      self.access = access
      self.mapBytesInitial = mapBytesInitial
      self.tablesMax = tablesMax
      self.readersMax = readersMax
    }

    /// The same with every number within its limits.
    var limited: Options {
      var options = Options(
        access: access, mapBytesInitial: max(mapBytesInitial, Self.mapBytesMin),
        tablesMax: min(max(tablesMax, Self.tablesAllowed.lowerBound), Self.tablesAllowed.upperBound),
        readersMax: min(max(readersMax, Self.readersAllowed.lowerBound), Self.readersAllowed.upperBound),
        durability: durability, snapshotAgeMax: snapshotAgeMax)
      options.checkpoints = checkpoints
      return options
    }
  }
}
