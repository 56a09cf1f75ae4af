/// A reanalysis that makes anew what is there, remembered until it is complete, so that one that was stopped goes on.
package struct ForcedRun: Hashable, Sendable {
  /// What it makes and of what; one that asks for the same is the same.
  package struct Task: Hashable, Sendable {
    /// Each product with its version and parameters: another version of the program begins anew.
    package var recipes: String
    package var query: String

    package init(recipes: String, query: String) {
      self.recipes = recipes
      self.query = query
    }
  }

  package var id: Int64
  /// Seconds since 1970.
  package var startedAt: Int64
  /// Ids of the recordings that are done.
  package var doneIDs: Set<Int64>
}
