/// Sizes and counts of an environment at one moment.
public struct EnvironmentStatistics: Sendable, Hashable {
  /// The size of a page.
  public var pageBytes: Int
  /// The size of the data file.
  public var fileBytes: Int
  /// The size of the map, which is the most that the data file can hold until the map grows.
  public var mapBytes: Int
  /// How many pages have ever been used; freed ones among them are used again.
  public var pagesUsed: Int
  /// The number of the last committed transaction.
  public var lastTransaction: Int
  /// How many of the places for snapshots, of all processes, have been in use at the same time.
  public var readerPlacesUsed: Int
  /// How many snapshots this process has open.
  public var snapshotsOpen: Int
  /// How many writes of this process wait for their turn.
  public var writesWaiting: Int
}

/// Sizes and counts of one table.
public struct TableStatistics: Sendable, Hashable {
  /// How many entries it has.
  public var entries = 0
  /// How many levels its tree has.
  public var depth = 0
  /// Pages that lead to other pages.
  public var branchPages = 0
  /// Pages that hold entries.
  public var leafPages = 0
  /// Pages that hold values too large for a leaf.
  public var overflowPages = 0
}
