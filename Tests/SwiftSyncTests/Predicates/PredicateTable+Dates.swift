// swift-format-ignore-file: NeverForceUnwrap
// Unwrapping is part of what predicates say.

import Foundation
import SwiftSync

extension PredicateTable {
  /// Dates can be NaN. `Date` finds such a one less than or equal to every other, and greater than or equal to it.
  mutating func addDates() {
    let day = SpecimenStore.dates[1]
    let days = Array(SpecimenStore.dates.prefix(3))
    let now = Date(timeIntervalSinceReferenceDate: 700_000_000)
    let past = Date.distantPast
    let undefined = Date(timeIntervalSinceReferenceDate: .nan)
    let never = Date(timeIntervalSinceReferenceDate: .infinity)
    let from = day...
    let through = ...day
    let before = ..<day
    let withoutDate: [Date?] = [undefined, nil, day]
    add(#Predicate { $0.date == day })
    add(#Predicate { $0.date != day })
    add(#Predicate { $0.date > day })
    add(#Predicate { $0.date <= day })
    add(#Predicate { $0.date >= day })
    add(#Predicate { !($0.date <= day) })
    add(#Predicate { !($0.date > day) })
    add(#Predicate { day >= $0.date })
    add(#Predicate { $0.date >= past && $0.date < now })
    add(#Predicate { $0.date >= past && $0.date <= now })
    add(#Predicate { $0.date <= now && $0.date > day })
    add(#Predicate { $0.date <= never })
    add(#Predicate { $0.date >= never })
    add(#Predicate { $0.date > never })
    add(#Predicate { $0.date == undefined })
    add(#Predicate { $0.date != undefined })
    add(#Predicate { $0.date < undefined })
    add(#Predicate { $0.date <= undefined })
    add(#Predicate { $0.date > undefined })
    add(#Predicate { $0.date >= undefined })
    add(#Predicate { !($0.date >= undefined) })
    add(#Predicate { days.contains($0.date) })
    add(#Predicate { withoutDate.contains($0.optionalDate) })
    add(#Predicate { (past...now).contains($0.date) })
    add(#Predicate { (past..<now).contains($0.date) })
    add(#Predicate { from.contains($0.date) })
    add(#Predicate { through.contains($0.date) })
    add(#Predicate { before.contains($0.date) })
    add(#Predicate { !(past...now).contains($0.date) })
    add(#Predicate { $0.date.timeIntervalSinceReferenceDate > 0 })
    add(#Predicate { $0.optionalDate != nil && $0.optionalDate! <= now })
    add(#Predicate { $0.optionalDate != nil && $0.optionalDate! >= undefined })
    add(#Predicate { ($0.optionalDate ?? past) <= day })
    add(#Predicate { ($0.optionalDate ?? undefined) >= day })
    add(#Predicate { $0.date <= ($0.optionalDate ?? $0.date) })
    add(#Predicate { $0.date >= ($0.optionalDate ?? undefined) })
    add(#Predicate { ($0.owner?.born ?? past) <= $0.date })
    add(#Predicate { ($0.mentor?.date ?? day) <= day })
    add(#Predicate { $0.date <= day || $0.date >= now })
    add(#Predicate { $0.flag && $0.date <= day && $0.int > 2 })
  }
}
