import SwiftSync

/// That a change of a client's was carried out, by the key that the client gave it, so that the same change is not carried out
/// again when it comes once more.
///
/// It is stored by the transaction that carries the change out: either both are there or neither.
@Syncable @Model final class AppliedChange {
  #Index<AppliedChange>([\.appliedAt])

  /// For how long a client may go on trying.
  static let keptMilliseconds = 30 * 24 * 3_600_000

  @PrimaryKey @Attribute(.unique) var key: String
  var appliedAt: Int

  init(key: String, appliedAt: Int) {
    self.key = key
    self.appliedAt = appliedAt
  }
}
