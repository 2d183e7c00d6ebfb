import Foundation
import SwiftSync

extension PredicateTable {
  mutating func addTexts() {
    let long = SpecimenStore.texts.last ?? ""
    let names = ["a", "é", "nobody", "abc"]
    let same = ComparisonResult.orderedSame
    let ascending = ComparisonResult.orderedAscending
    let url = SpecimenStore.urls[0]
    let relative = URL(string: "x", relativeTo: URL(string: "https://a.example/")) ?? url
    let data = Data("abc".utf8)
    let uuid = SpecimenStore.uuids[2]
    let other = SpecimenStore.uuids[4]
    add(#Predicate { $0.text == "a" })
    add(#Predicate { $0.text == "" })
    add(#Predicate { $0.text == "é" })
    add(#Predicate { $0.text == "e\u{301}" })
    add(#Predicate { $0.text != "é" })
    add(#Predicate { $0.text < "b" })
    add(#Predicate { $0.text >= "b" })
    add(#Predicate { $0.text > "ab" && $0.text < "ac" })
    add(#Predicate { $0.text == long })
    add(#Predicate { $0.text >= long })
    add(#Predicate { $0.text.isEmpty })
    add(#Predicate { !$0.text.isEmpty })
    add(#Predicate { $0.text.count == 1 })
    add(#Predicate { $0.text.count > 3 })
    add(#Predicate { $0.text.contains("a") })
    add(#Predicate { $0.text.contains("") })
    add(#Predicate { $0.text.contains("e") })
    add(#Predicate { $0.text.contains("é") })
    add(#Predicate { $0.text.contains("\n") })
    add(#Predicate { $0.text.contains("👩") })
    add(#Predicate { $0.text.contains("long") })
    add(#Predicate { $0.text.contains($0.text) })
    add(#Predicate { $0.text.starts(with: "ab") })
    add(#Predicate { $0.text.starts(with: "") })
    add(#Predicate { $0.text.starts(with: "e") })
    add(#Predicate { $0.text.starts(with: "é") })
    add(#Predicate { $0.text.starts(with: "long long") })
    add(#Predicate { $0.text.starts(with: "a\r") })
    add(#Predicate { $0.text.starts(with: "👍") })
    add(#Predicate { !$0.text.starts(with: "a") })
    add(#Predicate { $0.text.starts(with: "ab") || $0.text.starts(with: "e") })
    add(#Predicate { names.contains($0.text) })
    add(#Predicate { "abc".contains($0.text) })
    add(#Predicate { "abcdef".starts(with: $0.text) })
    add(#Predicate { $0.text.localizedStandardContains("ECOLE") })
    add(#Predicate { $0.text.localizedStandardContains("e") })
    add(#Predicate { $0.text.localizedStandardContains("strasse") })
    add(#Predicate { $0.text.localizedStandardContains("") })
    add(#Predicate { $0.text.localizedStandardContains("fish") })
    add(#Predicate { !$0.text.localizedStandardContains("a") })
    add(#Predicate { $0.text.localizedStandardContains($0.text) })
    add(#Predicate { $0.text.caseInsensitiveCompare("ABC") == same })
    add(#Predicate { $0.text.localizedCompare("b") == ascending })
    add(#Predicate { $0.text.contains(/[a-c]+\d*/) })
    add(#Predicate { $0.text.localizedLowercase == "abc" })
    add(#Predicate { $0.text.utf8.count == 3 })
    add(#Predicate { $0.shout == "ABC!" })
    add(#Predicate { $0.text == $0.shout })
    add(#Predicate { $0.nick == "a" })
    add(#Predicate { $0.nick == $0.mentor?.nick })
    add(#Predicate { $0.nick != $0.mentor?.nick })
    add(#Predicate { $0.url == url })
    add(#Predicate { $0.url != url })
    add(#Predicate { $0.url == relative })
    add(#Predicate { $0.url.absoluteString.contains("example") })
    add(#Predicate { $0.data == data })
    add(#Predicate { $0.data != data })
    add(#Predicate { $0.data.isEmpty })
    add(#Predicate { $0.data.count > 3 })
    add(#Predicate { $0.uuid == uuid })
    add(#Predicate { $0.uuid > uuid })
    add(#Predicate { [uuid, other].contains($0.uuid) })
  }
}
