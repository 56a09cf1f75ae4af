package import MediaModel

/// How libraries are merged.
package struct MergeOptions: Sendable {
  package var mappings: [PathMapping]
  /// Whether to find out what would happen, and change nothing.
  package var isDryRun: Bool
  /// Whether the library as it is stays in a file of its own.
  package var keepsCopy: Bool
  /// Why a folder must not be a root here; nil where it may be one.
  package var refusal: @Sendable (BytePath) -> String?

  package init(
    mappings: [PathMapping] = [], isDryRun: Bool = false, keepsCopy: Bool = true,
    refusal: @escaping @Sendable (BytePath) -> String? = { _ in nil }
  ) {
    self.mappings = mappings
    self.isDryRun = isDryRun
    self.keepsCopy = keepsCopy
    self.refusal = refusal
  }
}
