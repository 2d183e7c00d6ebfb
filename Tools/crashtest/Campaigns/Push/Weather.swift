import TestSupport

/// How bad the network is, in percent of the requests.
struct Weather {
  /// What becomes of a request.
  enum Fate {
    case delivered
    /// It never arrives.
    case lostRequest
    /// It arrives, and the client does not hear of it.
    case lostResponse
    /// It arrives twice.
    case doubled
    /// The client hears nothing, and it arrives behind later ones.
    case delayed
  }

  var lostRequest = 0
  var lostResponse = 0
  var doubled = 0
  var delayed = 0

  static let fair = Weather()

  static func random(_ random: inout SplitMix64) -> Weather {
    if random.chance(15) { return .fair }
    return Weather(
      lostRequest: random.below(25), lostResponse: random.below(25), doubled: random.below(20),
      delayed: random.below(20))
  }

  func fate(_ random: inout SplitMix64) -> Fate {
    var number = random.below(100)
    for (percent, fate) in [
      (lostRequest, Fate.lostRequest), (lostResponse, .lostResponse), (doubled, .doubled), (delayed, .delayed),
    ] {
      if number < percent { return fate }
      number -= percent
    }
    return .delivered
  }
}
