import Foundation
import SwiftSync

// Models with an attribute of every type and relationships of every kind, and rows with the values at the edges of each.

enum Level: Int, Codable, CaseIterable, Comparable {
  case low = 30
  case middle = 20
  case high = 10

  /// Against the order of the raw values.
  static func < (left: Level, right: Level) -> Bool { left.rawValue > right.rawValue }
}

/// An enum whose cases nobody can list.
enum Flavor: String, Codable {
  case sweet, sour, salty
}

struct Place: Codable, Equatable {
  var city: String
  var floor: Int
}

@Model final class Specimen {
  #Index<Specimen>(
    [\.text], [\.nick], [\.int], [\.optionalInt], [\.double], [\.money], [\.date], [\.optionalDate], [\.uuid],
    [\.level],
    [\.flag, \.int], [\.data], [\.unsigned])

  @Attribute(.unique) var id: Int
  var text: String
  var nick: String?
  var int: Int
  var optionalInt: Int?
  var small: Int8
  var unsigned: UInt64
  var single: Float
  var double: Double
  var optionalDouble: Double?
  var money: Decimal
  var date: Date
  var optionalDate: Date?
  var uuid: UUID
  var url: URL
  var data: Data
  var optionalData: Data?
  var flag: Bool
  var optionalFlag: Bool?
  var level: Level
  var optionalLevel: Level?
  var flavor: Flavor
  var tags: [String]
  var scores: [String: Int]
  var place: Place
  var optionalPlace: Place?
  var owner: SpecimenOwner?
  var mentor: Specimen?
  var group: SpecimenGroup
  var labels: [SpecimenLabel]

  /// What no store knows.
  var shout: String { text.uppercased() + "!" }

  init(id: Int, group: SpecimenGroup) {
    self.id = id
    self.group = group
    text = ""
    int = 0
    small = 0
    unsigned = 0
    single = 0
    double = 0
    money = 0
    date = Date(timeIntervalSinceReferenceDate: 0)
    uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    url = URL(fileURLWithPath: "/")
    data = Data()
    flag = false
    level = .low
    flavor = .sweet
    tags = []
    scores = [:]
    place = Place(city: "", floor: 0)
    labels = []
  }
}

@Model final class SpecimenOwner {
  var name: String
  var nick: String?
  var age: Int
  var born: Date?
  var boss: SpecimenOwner?
  @Relationship(inverse: \Specimen.owner) var specimens: [Specimen]

  init(name: String, nick: String?, age: Int) {
    self.name = name
    self.nick = nick
    self.age = age
    specimens = []
  }
}

@Model final class SpecimenGroup {
  #Index<SpecimenGroup>([\.title])
  var title: String
  @Relationship(inverse: \Specimen.group) var specimens: [Specimen]

  init(title: String) {
    self.title = title
    specimens = []
  }
}

@Model final class SpecimenLabel {
  var title: String
  var rank: Int
  @Relationship(inverse: \Specimen.labels) var specimens: [Specimen]

  init(title: String, rank: Int) {
    self.title = title
    self.rank = rank
    specimens = []
  }
}
