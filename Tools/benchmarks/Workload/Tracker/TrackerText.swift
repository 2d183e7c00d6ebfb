/// The words of the tracker's texts: of the usual lengths, and now and then with what JSON must escape or ASCII lacks.
enum TrackerText {
  static let firstNames = split(
    "Ada Björn Chloé Dmitri Esra Farid Greta Hugo Ines Jonas Kaja Liam Mira Noor Otto Priya Rafael Siri")
  static let lastNames = split(
    "Adler Brandt Costa Dahl Evers Fontaine Greco Haas Ivanov Jansen Kowalski Lindt Moreau Novák Olsen")
  static let states = ["open", "doing", "review", "blocked", "done", "dropped"]

  private static let words = split(
    """
    account alert answer archive balance batch border branch bridge button cable camera canvas change channel chart check \
    circle client column commit copy count cursor delay device draft drop edge editor empty error event export failure \
    field filter folder form frame gap grid group handle header history icon image import index input item job key label \
    layer limit link list lock log map mark menu message mode move name node note option order page panel paste path phone \
    point press print queue quota reply report reset route row rule save scale screen search select sheet shift sign size \
    slow sort source stack state step store stream style swap table tag task text theme time title token tool track tree \
    type unit update upload user value view wait warning when width window without word wrong zone
    """)

  /// Words that a parser and a writer have to look at twice.
  private static let oddWords = [
    "café", "größer", "東京", "Ελλάδα", "🛠️", "–", "„so“", "\"quoted\"", "D:\\data", "a\tb", "one\ntwo",
  ]

  /// Words until there are so many bytes, or a little more. In so many percent of the texts one of them is odd.
  static func sentence(bytes: ClosedRange<Int>, oddPercent: Int, _ numbers: inout PseudoRandom) -> String {
    let length = bytes.lowerBound + numbers.below(bytes.count)
    var chosen: [String] = []
    var count = 0
    while count < length {
      chosen.append(numbers.element(of: words))
      count += chosen[chosen.count - 1].utf8.count + 1
    }
    if numbers.isTrue(percent: oddPercent) { chosen[numbers.below(chosen.count)] = numbers.element(of: oddWords) }
    return chosen.joined(separator: " ")
  }

  private static func split(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
