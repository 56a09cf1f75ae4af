/// How libraries are merged.
package struct MergeOptions: Sendable {
  package var mappings: [PathMapping]
  /// Whether to find out what would happen, and change nothing.
  package var isDryRun: Bool
  /// Whether the library as it is stays in a file of its own.
  package var keepsCopy: Bool

  package init(mappings: [PathMapping] = [], isDryRun: Bool = false, keepsCopy: Bool = true) {
    self.mappings = mappings
    self.isDryRun = isDryRun
    self.keepsCopy = keepsCopy
  }
}
