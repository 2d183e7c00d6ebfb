import Records

extension ModelContext {
  /// Loads a query, and keeps it up to date for as long as it is there. What loading throws is in its `failure`.
  func keepUpToDate(_ query: LiveQuery) {
    // From here on nothing is missed: what was committed before is in the snapshot that is opened next.
    mailbox.keepInsertions()
    let queries = liveQueries ?? LiveQueries()
    liveQueries = queries
    do {
      try read { query.load(in: self, $0) }
    } catch {
      query.fail(error)
    }
    queries.add(query, in: core)
  }

  /// Fetches a query again and tells its observers, whether something has changed or not.
  func reload(_ query: LiveQuery) {
    do {
      try read { liveQueries?.reload(query, in: self, $0) }
    } catch {
      announcing { liveQueries?.fail(query, with: error) }
    }
  }
}
