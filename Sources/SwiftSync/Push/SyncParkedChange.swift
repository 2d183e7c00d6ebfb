import Foundation

/// A change that a server will not take as it is, and that waits for somebody to edit the row, to try again, or to give it up.
public struct SyncParkedChange: Sendable, Identifiable {
  /// The row.
  public let id: SyncRowIdentity
  /// What is to be done to it.
  public let kind: SyncChangeKind
  /// The names of the properties that differ from what the server was last known to have.
  public let changedProperties: [String]
  /// Why it was not taken.
  public let reason: String
  /// By which programs tell reasons apart.
  public let code: String?
  /// How often it was sent.
  public let attempts: Int
  /// When it was first rejected.
  public let since: Date
  /// The key that it was sent with.
  public let idempotencyKey: String
}
