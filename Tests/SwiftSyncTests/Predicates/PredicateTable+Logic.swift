import Foundation
import SwiftSync

extension PredicateTable {
  mutating func addLogic() {
    let no = false
    let middle = Level.middle
    let high = Level.high
    let levels = [Level.low, .high]
    let sour = Flavor.sour
    let flavors: Set<Flavor> = [.sour, .salty]
    add(#Predicate { $0.flag })
    add(#Predicate { !$0.flag })
    add(#Predicate { $0.flag == true })
    add(#Predicate { $0.flag == false })
    add(#Predicate { $0.flag != true })
    add(#Predicate { $0.flag && $0.int > 0 })
    add(#Predicate { $0.flag || $0.int > 0 })
    add(#Predicate { !($0.flag || $0.int > 0) })
    add(#Predicate { !($0.flag && $0.int > 0) })
    add(#Predicate { $0.flag == ($0.int > 0) })
    add(#Predicate { ($0.int > 0) != ($0.double > 0) })
    add(#Predicate { $0.flag && true })
    add(#Predicate { $0.flag || true })
    add(#Predicate { $0.flag && no })
    add(#Predicate { $0.flag ? $0.int > 0 : $0.int < 0 })
    add(#Predicate { ($0.flag ? $0.int : $0.id) == 5 })
    add(#Predicate { ($0.flag ? "a" : $0.text) == "a" })
    add(
      #Predicate { specimen in
        if specimen.flag { specimen.int == 1 } else if specimen.int < 0 { true } else { specimen.id < 50 }
      })
    add(#Predicate { $0.flag && $0.int == 5 && $0.text != "" })
    add(#Predicate { $0.flag && $0.int > 1 && $0.int < 100 && $0.tags.count > 0 })
    add(#Predicate { $0.int == 5 && $0.text == "a" || $0.int == 7 && $0.text != "a" || $0.id == 3 })
    add(#Predicate { $0.int == 5 || $0.shout == "ABC!" })
    add(#Predicate { $0.int == 5 && $0.shout == "ABC!" })
    add(#Predicate { ($0.int == 5 || $0.text == "a") && ($0.flag || $0.id < 30) })
    add(#Predicate { $0.int > 0 && !($0.int > 5) })
    add(#Predicate { $0.level == high })
    add(#Predicate { $0.level != high })
    add(#Predicate { $0.level > middle })
    add(#Predicate { $0.level >= middle })
    add(#Predicate { $0.level < high })
    add(#Predicate { $0.level.rawValue == 20 })
    add(#Predicate { $0.level.rawValue > 10 })
    add(#Predicate { levels.contains($0.level) })
    add(#Predicate { $0.optionalLevel == high })
    add(#Predicate { $0.optionalLevel == nil })
    add(#Predicate { $0.optionalLevel != high })
    add(#Predicate { $0.optionalLevel?.rawValue == 20 })
    add(#Predicate { $0.optionalLevel ?? high == high })
    add(#Predicate { $0.flavor == sour })
    add(#Predicate { $0.flavor != sour })
    add(#Predicate { $0.flavor.rawValue == "sour" })
    add(#Predicate { flavors.contains($0.flavor) })
    add(#Predicate { $0.int == $0.id })
    add(#Predicate { $0.int < $0.id })
    add(#Predicate { $0.id % 2 == 0 })
    add(#Predicate { $0.id % 7 == 3 && $0.flag })
    add(#Predicate { $0.id / 10 == 4 })
    add(#Predicate { $0.id + 1 == 5 })
    add(#Predicate { $0.id * 2 < 9 })
    add(#Predicate { $0.id - 5 < 0 })
    add(#Predicate { -$0.id < -150 })
    add(#Predicate { $0.double / 2 > 0.5 })
    add(#Predicate { $0.double * 2 == 3 })
    add(#Predicate { $0.double + $0.double > 2 })
    add(#Predicate { $0.single * 2 == 3 })
    add(#Predicate { $0.small / 2 == 1 })
    add(#Predicate { $0.int != 0 && 100 / $0.int == 10 })
    add(#Predicate { $0.int == 0 || 100 % $0.int == 0 })
    add(#Predicate { $0.money * 2 == 2.2 })
    add(#Predicate { $0.id == 7 && $0.id == 8 })
    add(#Predicate { (0..<$0.id).contains(150) })
  }
}
