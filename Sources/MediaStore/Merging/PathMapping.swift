package import MediaModel

/// Where folders of another machine lie on this one.
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
  /// Where a path leads: by the longest `old` that it lies below, the first of equals.
  func path(of path: BytePath) -> BytePath {
    let fitting = filter { $0.concerns(path) }
    guard let length = fitting.map(\.old.bytes.count).max(),
      let mapping = fitting.first(where: { $0.old.bytes.count == length })
    else { return path }
    return mapping.new.appending(path.relative(to: mapping.old))
  }
}
