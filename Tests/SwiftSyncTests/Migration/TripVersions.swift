import Foundation
import SwiftSync

/// Three versions of a schema, in the form in which applications keep them.
enum TripsV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

  @Model final class Trip {
    @Attribute(.unique) var id: Int
    var name: String
    var price: String
    var stops: [Stop]

    init(id: Int, name: String, price: String, stops: [Stop] = []) {
      self.id = id
      self.name = name
      self.price = price
      self.stops = stops
    }
  }

  @Model final class Stop {
    var place: String
    var trip: Trip?

    init(place: String) {
      self.place = place
    }
  }
}

/// Renames, additions with default values of every kind, wider numbers, an inverse less: nothing that needs a closure.
enum TripsV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Halt.self] }

  enum Kind: String, Codable { case leisure, work }

  struct Rating: Codable, Equatable {
    var stars = 3
  }

  @Model final class Trip {
    #Index<Trip>([\.kind, \.title])
    @Attribute(.unique) var id: Double
    @Attribute(originalName: "name") var title: String
    var price: String?
    var kind = Kind.leisure
    var optionalKind: Kind? = .work
    var rating = Rating()
    var tags: [String] = ["new"]
    var budget: Decimal = 12.5
    var limit: Int? = .max
    var note: String? = nil
    @Relationship(originalName: "stops") var halts: [Halt] = []
    var guides: [Halt] = []

    init(id: Double, title: String) {
      self.id = id
      self.title = title
    }
  }

  @Model(originalName: "Stop") final class Halt {
    var place: String

    init(place: String) {
      self.place = place
    }
  }
}

/// The price becomes a number, and halts become texts.
enum TripsV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }

  @Model final class Trip {
    @Attribute(.unique) var id: Double
    var title: String
    var price: Int?
    var places: [String] = []

    init(id: Double, title: String) {
      self.id = id
      self.title = title
    }
  }
}
