import Foundation
import SwiftSync

extension PredicateTable {
  mutating func addCollections() {
    let place = Place(city: "Ulm", floor: 1)
    add(#Predicate { $0.tags.isEmpty })
    add(#Predicate { $0.tags.count > 1 })
    add(#Predicate { $0.tags.contains("a") })
    add(#Predicate { specimen in specimen.tags.contains { $0 == "a" } })
    add(#Predicate { specimen in specimen.tags.allSatisfy { $0 > "a" } })
    add(#Predicate { specimen in specimen.tags.filter { $0 == "a" }.count > 1 })
    add(#Predicate { $0.tags.first == "a" })
    add(#Predicate { $0.tags.last == "a" })
    add(#Predicate { $0.tags.starts(with: ["a"]) })
    add(#Predicate { $0.tags.min() == "a" })
    add(#Predicate { $0.tags.max() ?? "" > "b" })
    add(#Predicate { $0.tags == ["a"] })
    add(#Predicate { $0.tags.contains($0.text) })
    add(#Predicate { $0.tags.count > 0 && $0.tags[0] == "a" })
    add(#Predicate { $0.tags.count < 2 || $0.tags[0..<2].contains("a") })
    add(#Predicate { $0.scores["x"] == 3 })
    add(#Predicate { $0.scores["x"] == nil })
    add(#Predicate { $0.scores["x", default: 2] == 2 })
    add(#Predicate { ($0.scores["y"] ?? 0) > 1 })
    add(#Predicate { $0.scores.isEmpty })
    add(#Predicate { $0.scores.keys.contains("x") })
    add(#Predicate { $0.place == place })
    add(#Predicate { $0.place.city == "Ulm" })
    add(#Predicate { $0.place.floor > 1 })
    add(#Predicate { $0.optionalPlace == nil })
    add(#Predicate { $0.optionalPlace == place })
    add(#Predicate { $0.optionalPlace?.floor == 1 })
    add(#Predicate { $0.optionalPlace?.city ?? "none" == "none" })
  }
}
