import SwiftSync

/// One model with a relationship of every kind to itself, so that a few objects meet in every way.
@Model final class Vertex {
  @Attribute(.unique) var id: Int
  var label: Int

  // One to many.
  @Relationship(inverse: \Vertex.children) var parent: Vertex?
  var children: [Vertex]
  // One to one.
  @Relationship(inverse: \Vertex.follower) var leader: Vertex?
  var follower: Vertex?
  // Many to many.
  @Relationship(inverse: \Vertex.likedBy) var likes: [Vertex]
  var likedBy: [Vertex]
  // One to many, deleted with its owner.
  @Relationship(inverse: \Vertex.owned) var owner: Vertex?
  @Relationship(deleteRule: .cascade) var owned: [Vertex]
  // Known from one side only.
  var next: Vertex?
  var watched: [Vertex]

  init(id: Int, label: Int, parent: Vertex? = nil, likes: [Vertex] = []) {
    self.id = id
    self.label = label
    self.parent = parent
    self.children = []
    self.likes = likes
    self.likedBy = []
    self.owned = []
    self.watched = []
  }
}
