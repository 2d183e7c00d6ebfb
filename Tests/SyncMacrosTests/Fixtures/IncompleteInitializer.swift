import SwiftSync

// A persisted property that an initializer forgets is a compile-time error, as it is for a plain stored property.

@Model final class Forgetful {
  var name: String
  var nickname: String?
  var count = 0

  init(name: String) {
    self.name = name
  }

  init() {
    count = 1
  }  // error: return from initializer without initializing all stored properties
}
