/// How far the work that a changed schema makes has come.
///
/// Only work on rows is reported: a change that needs none is over at once.
public struct EvolutionProgress: Sendable, Equatable {
  /// What is being done.
  public enum Step: Sendable, Equatable {
    /// Rows are looked at, whether they can have the new form.
    case checking
    /// The links of a relationship are stored in another form.
    case linking(relationship: String)
    /// An index is built.
    case indexing(attributes: [String])
    /// Rows of many earlier layouts are written anew.
    case rewriting
  }

  /// What is being done.
  public var step: Step
  /// Of which entity.
  public var entity: String
  /// How many of its rows are done.
  public var rowsDone: Int
  /// How many rows it has.
  public var rowCount: Int

  /// After so many rows a step reports.
  static let rowsPerReport = 10_000
}
