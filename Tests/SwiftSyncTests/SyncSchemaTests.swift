import Foundation
import SwiftSync
import Testing

@Suite("What syncing needs of classes (contract, section 14.3)")
struct SyncSchemaTests {
  private let memory = ModelConfiguration(isStoredInMemoryOnly: true)

  private func expectRefusal(_ words: [String], _ open: () throws -> SyncContainer) {
    #expect {
      try open()
    } throws: { error in
      guard case SchemaValidationError.schemaValidation(let reason) = error else { return false }
      return words.allSatisfy(reason.contains)
    }
  }

  @Test("14.3 a: two to-many relationships that lead back and forth need an inverse on one side")
  func manyToMany() throws {
    expectRefusal(["many-to-many", "Course.students", "Student.courses"]) {
      try SyncContainer(for: Unanchored.Course.self, configurations: memory)
    }
    expectRefusal(["many-to-many", "Person.friends"]) {
      try SyncContainer(for: Circle.Person.self, configurations: memory)
    }
    // An anchor on either side will do, and classes that are synced by code of their own say nothing of their relationships.
    _ = try SyncContainer(for: Anchored.Course.self, configurations: memory)
    _ = try SyncContainer(for: Anchored.Student.self, configurations: memory)
    _ = try SyncContainer(for: AnchoredThere.Course.self, configurations: memory)
    _ = try SyncContainer(for: Unsynced.Course.self, configurations: memory)
    _ = try SyncContainer(for: OneToMany.Shelf.self, configurations: memory)
  }

  @Test("14.3 b: only the identity may be unique")
  func uniqueness() throws {
    expectRefusal(["Member", "email", "id"]) { try SyncContainer(for: TwoUnique.Member.self, configurations: memory) }
    expectRefusal(["Seat", "row, number"]) { try SyncContainer(for: Compound.Seat.self, configurations: memory) }
    expectRefusal(["Ticket", "seat"]) { try SyncContainer(for: AlsoUnique.Ticket.self, configurations: memory) }
    _ = try SyncContainer(for: Indexed.Member.self, configurations: memory)
    _ = try SyncContainer(for: LooseNote.self, configurations: memory)
  }

  @Test("14.3: one error, by both of its names")
  func names() throws {
    #expect(throws: SchemaValidationError.self) {
      try SyncContainer(for: TwoUnique.Member.self, configurations: memory)
    }
    #expect(throws: SyncError.self) { try SyncContainer(for: TwoUnique.Member.self, configurations: memory) }
  }

  @Test("14.4: a container that exists is taken as it is")
  func existingContainer() throws {
    _ = SyncContainer(try ModelContainer(for: Unanchored.Course.self, TwoUnique.Member.self, configurations: memory))
  }

  enum Unanchored {
    @Syncable @Model final class Course {
      var id = 0
      var students: [Student] = []
      init() {}
    }

    @Syncable @Model final class Student {
      var id = 0
      var courses: [Course] = []
      init() {}
    }
  }

  enum Anchored {
    @Syncable @Model final class Course {
      var id = 0
      @Relationship(inverse: \Student.courses) var students: [Student] = []
      init() {}
    }

    @Syncable @Model final class Student {
      var id = 0
      var courses: [Course] = []
      init() {}
    }
  }

  enum AnchoredThere {
    @Syncable @Model final class Course {
      var id = 0
      var students: [Student] = []
      init() {}
    }

    @Syncable @Model final class Student {
      var id = 0
      @Relationship(inverse: \Course.students) var courses: [Course] = []
      init() {}
    }
  }

  enum Unsynced {
    @Model final class Course {
      var id = 0
      var students: [Student] = []
      init() {}
    }

    @Model final class Student {
      var id = 0
      var courses: [Course] = []
      init() {}
    }
  }

  enum AlsoUnique {
    @Syncable @Model final class Ticket {
      #Unique<Ticket>([\.id], [\.id, \.seat])
      var id = 0
      var seat = 0
      init() {}
    }
  }

  enum Circle {
    @Syncable @Model final class Person {
      var id = 0
      var friends: [Person] = []
      init() {}
    }
  }

  enum OneToMany {
    @Syncable @Model final class Shelf {
      var id = 0
      var books: [Book] = []
      init() {}
    }

    @Syncable @Model final class Book {
      var id = 0
      var shelf: Shelf?
      init() {}
    }
  }

  enum TwoUnique {
    @Syncable @Model final class Member {
      @Attribute(.unique) var id = 0
      @Attribute(.unique) var email = ""
      init() {}
    }
  }

  enum Compound {
    @Syncable @Model final class Seat {
      #Unique<Seat>([\.row, \.number])
      var id = 0
      var row = 0
      var number = 0
      init() {}
    }
  }

  enum Indexed {
    @Syncable @Model final class Member {
      #Unique<Member>([\.id])
      #Index<Member>([\.email])
      var id = 0
      var email = ""
      init() {}
    }
  }
}
