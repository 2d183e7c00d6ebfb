extension ModelContext {
  /// A property of an object that was changed by other means than its setter.
  struct Announcement {
    let property: ModelProperty
    let model: any PersistentModel
  }

  /// Runs a closure that changes objects, and tells their observers afterwards.
  ///
  /// Observers run application code, which may read, edit and save. It must not do so while a snapshot is open and half of the
  /// objects are up to date.
  @inline(__always)
  func announcing<Result>(_ body: () throws -> Result) rethrows -> Result {
    announcementDepth += 1
    defer {
      announcementDepth -= 1
      if announcementDepth == 0 { tellObservers() }
    }
    return try body()
  }

  func announce(_ property: ModelProperty, of model: any PersistentModel) {
    announcements.append(Announcement(property: property, model: model))
    if announcementDepth == 0 { tellObservers() }
  }

  private func tellObservers() {
    if !announcements.isEmpty {
      let announcements = announcements
      self.announcements = []
      for announcement in announcements { announcement.property.notify(announcement.model) }
    }
    liveQueries?.announce()
  }
}
