/// What has come out of a campaign.
struct Tally: Sendable {
  var passed = 0
  var failed = 0
  /// Other numbers, by what they count.
  var counts: [String: Int] = [:]

  /// The summary, one line each.
  var lines: [String] {
    let known = counts.keys.filter { $0.hasPrefix(FaultCampaign.knownSites) }.count
    let hit = counts.keys.filter { $0.hasPrefix(FaultCampaign.hitSites) }.count
    let others = counts.filter { !$0.key.hasPrefix("site ") }.sorted { $0.key < $1.key }.map {
      "\($0.key): \($0.value)"
    }
    return others + (known > 0 ? ["\(hit) of \(known) call sites"] : []) + ["\(passed) passed, \(failed) failed"]
  }
}
