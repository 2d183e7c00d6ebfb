// swift-format-ignore-file: NeverForceUnwrap
// Unwrapping is part of what predicates say.

import Foundation
import SwiftSync

extension PredicateTable {
  mutating func addOptionals() {
    let nothing: String? = nil
    let something: String? = "a"
    let maybe: [String?] = ["a", nil, "b"]
    let undefined = Double.infinity - Double.infinity
    let now = Date(timeIntervalSinceReferenceDate: 700_000_000)
    let past = Date.distantPast
    let day = SpecimenStore.dates[1]
    let data = Data("abc".utf8)
    add(#Predicate { $0.nick == nil })
    add(#Predicate { $0.nick != nil })
    add(#Predicate { $0.nick != "a" })
    add(#Predicate { !($0.nick == "a") })
    add(#Predicate { !($0.nick != "a") })
    add(#Predicate { $0.nick == nothing })
    add(#Predicate { $0.nick == something })
    add(#Predicate { $0.nick ?? "a" == "a" })
    add(#Predicate { ($0.nick ?? "") == "" })
    add(#Predicate { ($0.nick ?? $0.text) == "a" })
    add(#Predicate { ($0.nick ?? "b").starts(with: "b") })
    add(#Predicate { ($0.nick ?? "").contains("a") })
    add(#Predicate { $0.nick?.isEmpty == true })
    add(#Predicate { $0.nick?.isEmpty == false })
    add(#Predicate { $0.nick?.isEmpty == nil })
    add(#Predicate { $0.nick?.isEmpty != true })
    add(#Predicate { $0.nick?.count ?? 0 > 2 })
    add(#Predicate { $0.nick?.starts(with: "a") == true })
    add(#Predicate { $0.nick?.starts(with: "a") ?? true })
    add(#Predicate { $0.nick?.contains("a") ?? false })
    add(#Predicate { $0.nick != nil && $0.nick! > "b" })
    add(#Predicate { $0.nick == nil || $0.nick! > "b" })
    add(#Predicate { $0.nick == nil ? $0.flag : $0.nick! == "a" })
    add(#Predicate { if let nick = $0.nick { nick == "a" } else { false } })
    add(#Predicate { specimen in if let nick = specimen.nick { nick == "a" } else { specimen.flag } })
    add(#Predicate { maybe.contains($0.nick) })
    add(#Predicate { $0.optionalInt == 5 })
    add(#Predicate { $0.optionalInt != 5 })
    add(#Predicate { $0.optionalInt ?? 0 > 3 })
    add(#Predicate { $0.optionalInt ?? 0 <= 3 })
    add(#Predicate { ($0.optionalInt ?? 10) == 10 })
    add(#Predicate { $0.optionalInt != nil && $0.optionalInt! >= 5 })
    add(#Predicate { $0.optionalInt != nil && (1...7).contains($0.optionalInt!) })
    add(#Predicate { $0.optionalInt == nil && $0.int > 2 })
    add(#Predicate { specimen in specimen.optionalInt.flatMap { $0 > 3 } ?? false })
    add(#Predicate { specimen in specimen.optionalInt.flatMap { $0 > 3 } ?? true })
    add(#Predicate { specimen in specimen.optionalInt.flatMap { $0 > 3 } == nil })
    add(#Predicate { specimen in specimen.optionalInt.flatMap { $0 > 3 } != false })
    add(#Predicate { $0.optionalDouble == undefined })
    add(#Predicate { $0.optionalDouble == nil })
    add(#Predicate { $0.optionalDouble ?? 1 >= 1 })
    add(#Predicate { $0.optionalDate == nil })
    add(#Predicate { $0.optionalDate != nil && $0.optionalDate! < now })
    add(#Predicate { $0.optionalDate ?? past < now })
    add(#Predicate { $0.optionalDate == day })
    add(#Predicate { $0.optionalData == nil })
    add(#Predicate { $0.optionalData == data })
    add(#Predicate { $0.optionalFlag == true })
    add(#Predicate { $0.optionalFlag == false })
    add(#Predicate { $0.optionalFlag != true })
    add(#Predicate { $0.optionalFlag == nil })
    add(#Predicate { $0.optionalFlag ?? true })
    add(#Predicate { $0.optionalFlag ?? $0.flag })
    add(#Predicate { ($0.text as Any) is String })
  }
}
