package import Base
package import MediaModel

/// How libraries are merged.
package struct MergeOptions: Sendable {
  package var mappings: [PathMapping]
  /// Whether to report what would happen, and change nothing.
  package var isDryRun: Bool
  /// Whether to keep a copy of the library as it is before the merge.
  package var keepsCopy: Bool
  /// Products that are not taken over: for a catalogue of libraries that keep them.
  package var omittedKinds: Set<ProductKind>
  /// The reason why a folder must not be a root here; nil if it may be one.
  package var refusal: @Sendable (BytePath) -> String?

  package init(
    mappings: [PathMapping] = [], isDryRun: Bool = false, keepsCopy: Bool = true,
    omittedKinds: Set<ProductKind> = [],
    refusal: @escaping @Sendable (BytePath) -> String? = { _ in nil }
  ) {
    self.mappings = mappings
    self.isDryRun = isDryRun
    self.keepsCopy = keepsCopy
    self.omittedKinds = omittedKinds
    self.refusal = refusal
  }
}

/// Where a folder of another machine is on this one.
package struct PathMapping: Hashable, Sendable {
  /// Absolute, without a slash at its end.
  package var old: BytePath
  package var new: BytePath

  package init(from old: BytePath, to new: BytePath) {
    self.old = old.withoutTrailingSlashes
    self.new = new.withoutTrailingSlashes
  }

  func concerns(_ path: BytePath) -> Bool { path.isBelowOrEqual(to: old) }
}

extension [PathMapping] {
  /// The path on this machine: the mapping with the longest matching `old` counts, the first of equals.
  func path(of path: BytePath) -> BytePath {
    let fitting = filter { $0.concerns(path) }
    guard let length = fitting.map(\.old.bytes.count).max(),
      let mapping = fitting.first(where: { $0.old.bytes.count == length })
    else { return path }
    return mapping.new.appending(path.relative(to: mapping.old))
  }
}

/// The next step of a merge, before which it can be stopped.
package struct MergeStep: Hashable, Sendable {
  package var library: BytePath
  /// Recordings of that library.
  package var doneCount = 0
  /// Files of that library, which follow after all its recordings.
  package var doneFileCount = 0
  /// nil while the library is only read, for checking or copying.
  package var totalCount: Int?
}
