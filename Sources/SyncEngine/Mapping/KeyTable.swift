/// The payload keys that a mapping plan looks for, each with a number.
struct KeyTable: Sendable {
  /// The number of a key in its table.
  typealias Ordinal = Int

  /// What a key is looked for for. Attributes and relationships may both be read from one key.
  enum Kind: Int, CaseIterable {
    case attributes
    case relationships
  }

  private(set) var keys: [[UInt8]] = []
  /// Those of the candidates that may lead into nested objects.
  fileprivate(set) var dotted: [KeyCandidate] = []
  /// The numbers of the keys of each length: a handful at most.
  private var byLength: [[Ordinal]] = []
  /// For which kinds each key is looked for as it is.
  private var listings: [Set<Kind>] = []
  private var forms = KeyForms()
  /// Whether any key is looked for in all spellings.
  private(set) var hasForms = false

  var count: Int { keys.count }

  /// The number of a key, which is added if it is new.
  mutating func intern(_ key: String, of kind: Kind? = nil) -> Ordinal {
    let bytes = Array(key.utf8)
    let ordinal: Ordinal
    if let known = bytes.withUnsafeBufferPointer({ self.ordinal(ofExact: $0) }) {
      ordinal = known
    } else {
      ordinal = append(bytes)
      while byLength.count <= bytes.count { byLength.append([]) }
      byLength[bytes.count].append(ordinal)
    }
    if let kind { listings[ordinal].insert(kind) }
    return ordinal
  }

  /// The number under which values are found whose keys have a canonical form, for keys that nothing of the kind is read from as they
  /// are.
  mutating func intern(form: String, of kind: Kind) -> Ordinal {
    if let known = forms.ordinal(of: form, kind) { return known }
    let ordinal = append([])
    forms.add(ordinal, for: form, kind)
    hasForms = true
    return ordinal
  }

  private mutating func append(_ bytes: [UInt8]) -> Ordinal {
    keys.append(bytes)
    listings.append([])
    return keys.count - 1
  }

  /// Finds out which forms each key has. Called when all keys are there.
  mutating func relateForms(_ canonicalForm: (@Sendable (String) -> String)?) {
    guard let canonicalForm, hasForms else { return }
    var related = [[Ordinal]](repeating: [], count: keys.count)
    for ordinals in byLength {
      for ordinal in ordinals {
        let form = canonicalForm(String(decoding: keys[ordinal], as: UTF8.self))
        related[ordinal] = Kind.allCases.filter { !listings[ordinal].contains($0) }
          .compactMap { forms.ordinal(of: form, $0) }
      }
    }
    var unlisted: [String: Ordinal] = [:]
    for form in forms.all { unlisted[form] = append([]) }
    forms.relate(related, unlisted: unlisted, canonicalForm)
  }

  /// The number of a key, nil if the plan doesn't look for it.
  func ordinal(of key: UnsafeBufferPointer<UInt8>) -> Ordinal? {
    ordinal(ofExact: key) ?? (hasForms ? forms.ordinal(of: key) : nil)
  }

  /// The numbers of forms under which the value of a key is found as well.
  @inline(__always)
  func related(to ordinal: Ordinal) -> [Ordinal] { forms.related(to: ordinal) }

  private func ordinal(ofExact key: UnsafeBufferPointer<UInt8>) -> Ordinal? {
    guard key.count < byLength.count else { return nil }
    return byLength[key.count].first { keys[$0].withUnsafeBufferPointer { $0.isEqual(to: key) } }
  }
}

/// The canonical forms among the keys of a plan.
struct KeyForms: Sendable {
  private var byForm: [String: [KeyTable.Kind: KeyTable.Ordinal]] = [:]
  /// The number of every key of a form that is nowhere listed as it is.
  private var unlisted: [String: KeyTable.Ordinal] = [:]
  private var related: [[KeyTable.Ordinal]] = []
  private var canonicalForm: (@Sendable (String) -> String)?

  func ordinal(of form: String, _ kind: KeyTable.Kind) -> KeyTable.Ordinal? { byForm[form]?[kind] }

  mutating func add(_ ordinal: KeyTable.Ordinal, for form: String, _ kind: KeyTable.Kind) {
    byForm[form, default: [:]][kind] = ordinal
  }

  var all: some Collection<String> { byForm.keys }

  /// Takes the forms of each key that is listed as it is, and the number that all other keys of a form have.
  mutating func relate(
    _ listed: [[KeyTable.Ordinal]], unlisted: [String: KeyTable.Ordinal],
    _ canonicalForm: @escaping @Sendable (String) -> String
  ) {
    related = listed
    self.unlisted = unlisted
    self.canonicalForm = canonicalForm
    for (form, ordinal) in unlisted {
      while related.count <= ordinal { related.append([]) }
      related[ordinal] = byForm[form].map { Array($0.values) } ?? []
    }
  }

  func ordinal(of key: UnsafeBufferPointer<UInt8>) -> KeyTable.Ordinal? {
    canonicalForm.flatMap { unlisted[$0(String(decoding: key, as: UTF8.self))] }
  }

  func related(to ordinal: KeyTable.Ordinal) -> [KeyTable.Ordinal] {
    ordinal < related.count ? related[ordinal] : []
  }
}

/// One key to try: as it is, or, if it has dots, as a path into nested objects; or any key of a form.
final class KeyCandidate: Sendable {
  /// The key as it is written, for reports.
  let name: String
  let literal: KeyTable.Ordinal
  /// The first segment of a dotted key and the segments behind it.
  let path: (head: KeyTable.Ordinal, rest: [[UInt8]])?

  init(_ key: MappedKey, of kind: KeyTable.Kind, in table: inout KeyTable) {
    switch key {
    case .form(let form):
      name = form
      literal = table.intern(form: form, of: kind)
      path = nil
    case .exact(let key):
      name = key
      literal = table.intern(key, of: kind)
      let segments = key.split(separator: ".", omittingEmptySubsequences: false)
      path =
        segments.count > 1
        ? (head: table.intern(String(segments[0])), rest: segments.dropFirst().map { Array($0.utf8) }) : nil
      if path != nil { table.dotted.append(self) }
    }
  }
}
