@testable import Sync

// The store's descriptions have the same names, so a file that compares the two calls the model's so.

typealias ModelEntity = EntityDescription
typealias ModelAttribute = AttributeDescription
typealias ModelRelationship = RelationshipDescription
