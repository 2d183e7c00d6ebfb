/// How a query will be answered: made once, and valid for every snapshot of the same store.
///
/// It stays correct when the store changes; only its estimates, and with them the choice that it stands for, get old.
package struct QueryPlan: Sendable {
  package let query: RecordQuery
  let filter: RecordFilter
}
