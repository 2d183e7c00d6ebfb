import Foundation
import SwiftSync

extension PredicateTable {
  mutating func addNumbers() {
    let least = Int.min
    let most = Int.max
    let wanted: Set<Int> = [1, 5, -10, .max]
    let none: [Int] = []
    let smallest = Int8.min
    let highest = UInt64.max
    let undefined = Double.infinity - Double.infinity
    let infinity = Double.infinity
    let throughInfinity = ...Double.infinity
    let noSingle = Float.nan
    let leastSingle = -Float.infinity
    let singles = -1...Float.infinity
    let price = SpecimenStore.decimals[3]
    add(#Predicate { $0.int == 5 })
    add(#Predicate { $0.int != 5 })
    add(#Predicate { $0.int < 5 })
    add(#Predicate { $0.int <= 5 })
    add(#Predicate { $0.int > 5 })
    add(#Predicate { $0.int >= 5 })
    add(#Predicate { 5 > $0.int })
    add(#Predicate { $0.int == least })
    add(#Predicate { $0.int >= most })
    add(#Predicate { $0.int > most })
    add(#Predicate { $0.int < least })
    add(#Predicate { $0.int == -10 })
    add(#Predicate { !($0.int > 3) })
    add(#Predicate { $0.id == 17 })
    add(#Predicate { $0.id > 17 && $0.id < 40 })
    add(#Predicate { (10...20).contains($0.id) })
    add(#Predicate { (10..<20).contains($0.id) })
    add(#Predicate { (-10...5).contains($0.int) })
    add(#Predicate { !(1..<7).contains($0.int) })
    add(#Predicate { $0.id == 3 || $0.id == 5 || $0.id == 77 })
    add(#Predicate { [1, 5, 9, 1000].contains($0.id) })
    add(#Predicate { wanted.contains($0.int) })
    add(#Predicate { none.contains($0.int) })
    add(#Predicate { !wanted.contains($0.int) })
    add(#Predicate { $0.small < 0 })
    add(#Predicate { $0.small == 5 })
    add(#Predicate { $0.small >= smallest })
    add(#Predicate { $0.unsigned == highest })
    add(#Predicate { $0.unsigned > 1 })
    add(#Predicate { $0.unsigned <= 2 })
    add(#Predicate { $0.single > 1 })
    add(#Predicate { $0.single == 1.5 })
    add(#Predicate { $0.double == 1.5 })
    add(#Predicate { $0.double != 1.5 })
    add(#Predicate { $0.double < 0.3 })
    add(#Predicate { $0.double == 0 })
    add(#Predicate { $0.double >= 0 })
    add(#Predicate { $0.double == undefined })
    add(#Predicate { $0.double != undefined })
    add(#Predicate { $0.double < undefined })
    add(#Predicate { $0.double > infinity })
    add(#Predicate { $0.double >= infinity })
    add(#Predicate { $0.double <= -infinity })
    add(#Predicate { !($0.double < 1) })
    add(#Predicate { !($0.double >= 1) })
    add(#Predicate { (0.0...1.5).contains($0.double) })
    add(#Predicate { $0.double.isNaN })
    add(#Predicate { $0.double <= undefined })
    add(#Predicate { $0.double >= undefined })
    add(#Predicate { !($0.double >= undefined) })
    add(#Predicate { (0.0...infinity).contains($0.double) })
    add(#Predicate { throughInfinity.contains($0.double) })
    add(#Predicate { $0.single == noSingle })
    add(#Predicate { $0.single != noSingle })
    add(#Predicate { $0.single <= noSingle })
    add(#Predicate { $0.single >= noSingle })
    add(#Predicate { $0.single <= 1 })
    add(#Predicate { !($0.single > 1) })
    add(#Predicate { $0.single >= leastSingle })
    add(#Predicate { singles.contains($0.single) })
    add(#Predicate { $0.double.magnitude == 1.5 })
    add(#Predicate { $0.money == price })
    add(#Predicate { $0.money > price })
    add(#Predicate { $0.money < 0 })
    add(#Predicate { $0.money <= price && $0.money >= 0 })
  }
}
