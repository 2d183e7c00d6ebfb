// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import Observation
import SwiftSync

// Code whose only job is to compile without a warning: the models of a synced application, and what it does with them.

// MARK: The shapes of a synced application

@Syncable
@Model
public final class Board {
  @Attribute(.unique) public var id: String
  public var name: String
  public var cardCount: Int
  public var createdAt: Date
  public var updatedAt: Date
  public var cards: [Card]

  public init(
    id: String = UUID().uuidString, name: String, cardCount: Int = 0, createdAt: Date = Date(),
    updatedAt: Date = Date(),
    cards: [Card] = []
  ) {
    self.id = id
    self.name = name
    self.cardCount = cardCount
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.cards = cards
  }
}

@Syncable
@Model
public final class Person {
  @Attribute(.unique) public var id: String
  public var displayName: String

  public init(id: String, displayName: String) {
    self.id = id
    self.displayName = displayName
  }
}

@Syncable
@Model
public final class Card {
  @Attribute(.unique, .preserveValueOnDeletion) public var id: String
  public var boardID: String
  public var assigneeID: String?
  public var title: String
  @RemoteKey("description") public var descriptionText: String?
  @RemoteKey("state.id") public var state: String
  @RemoteKey("state.label")
  public var stateLabel: String
  public var priority: Int
  public var updatedAt: Date
  @NotExport public var failureReason: String?
  public var board: Board?
  public var author: Person?
  public var assignee: Person?
  @Relationship public var reviewers: [Person]
  @Relationship public var watchers: [Person]
  @Relationship(deleteRule: .cascade, inverse: \Step.card) public var steps: [Step]

  #Index<Card>([\.priority], [\.state, \.updatedAt])

  public init(
    id: String, boardID: String, assigneeID: String? = nil, title: String, descriptionText: String? = nil,
    state: String,
    stateLabel: String, priority: Int = 0, updatedAt: Date, failureReason: String? = nil, board: Board? = nil,
    author: Person? = nil, assignee: Person? = nil, reviewers: [Person] = [], watchers: [Person] = [],
    steps: [Step] = []
  ) {
    self.id = id
    self.boardID = boardID
    self.assigneeID = assigneeID
    self.title = title
    self.descriptionText = descriptionText
    self.state = state
    self.stateLabel = stateLabel
    self.priority = priority
    self.updatedAt = updatedAt
    self.failureReason = failureReason
    self.board = board
    self.author = author
    self.assignee = assignee
    self.reviewers = reviewers
    self.watchers = watchers
    self.steps = steps
  }
}

@Syncable
@Model
public final class Step {
  @Attribute(.unique) public var id: String
  public var cardID: String
  public var position: Int
  @NotExport
  public var card: Card?

  public init(id: String, cardID: String, position: Int, card: Card? = nil) {
    self.id = id
    self.cardID = cardID
    self.position = position
    self.card = card
  }
}

// MARK: Extensions

protocol Named {
  var name: String { get set }
}

extension Board: Named {
  static let placeholder = "untitled"
  nonisolated(unsafe) static var lastOpened: String?

  var isEmpty: Bool { cards.isEmpty }
}

// MARK: Uses

func pathsToProperties() -> [AnyKeyPath] {
  let attribute: ReferenceWritableKeyPath<Card, String> = \.title
  let toOne: ReferenceWritableKeyPath<Card, Board?> = \.board
  let toMany: ReferenceWritableKeyPath<Card, [Person]> = \.watchers
  return [attribute, toOne, toMany, Card.syncIdentity]
}

func predicates(of boardID: String, ids: [String], day: Date) -> [Predicate<Card>] {
  [
    #Predicate { $0.boardID == boardID },
    #Predicate { $0.priority >= 2 && $0.title == "x" },
    #Predicate { $0.descriptionText != nil },
    #Predicate { ids.contains($0.id) },
    #Predicate { $0.board?.id == boardID },
    #Predicate { card in card.watchers.contains { $0.id == boardID } },
    #Predicate { $0.updatedAt > day },
  ]
}

func sortOrders() -> [SortDescriptor<Card>] {
  [
    SortDescriptor(\.title), SortDescriptor(\Card.priority, order: .reverse),
    SortDescriptor(\.updatedAt, order: .forward),
  ]
}

func identities(of models: [any SyncUpdatableModel.Type]) -> [String] {
  models.map { $0.syncIdentityPropertyName }
}

func track(_ card: Card, onChange: @escaping @Sendable () -> Void) {
  withObservationTracking {
    _ = card.title
    _ = card.watchers.map(\.displayName)
    _ = card.board?.name
  } onChange: {
    onChange()
  }
}

func usableAsKeys(_ cards: [Card], _ person: Person) -> (Set<Card>, [Person: Int], Bool) {
  (Set(cards), [person: 1], cards.first == cards.last)
}
