package import MediaModel

/// What a merge did, or would do.
package struct MergeReport: Hashable, Sendable {
  package struct Library: Hashable, Sendable {
    package var path: BytePath
    package var roots = MergeCounts()
    package var files = MergeCounts()
    package var recordings = MergeCounts()
    /// Measures among them.
    package var products = MergeCounts()
    package var pictures = MergeCounts()
    package var presets = MergeCounts()
    package var assignments = MergeCounts()
    package var lists = MergeCounts()
    package var attributes = MergeCounts()
    /// Changes in the journal of presets.
    package var presetChanges = MergeCounts()
    /// Products whose bytes are not what was written, or not there: they were not taken.
    package var damaged: [DamagedProduct] = []
    package var conflicts: [MergeConflict] = []
  }

  package struct DamagedProduct: Hashable, Sendable {
    package var recording: ContentHash
    package var kind: String

    package init(recording: ContentHash, kind: String) {
      self.recording = recording
      self.kind = kind
    }
  }

  /// The library as it was before, in a file of its own; nil where none was wanted or needed.
  package var keptAt: BytePath?
  /// Those that were merged to their end.
  package var libraries: [Library] = []
  package var isInterrupted = false
  /// Whether anything of them was written.
  package var isChanged = false

  /// The same of a merge that was stopped.
  var interrupted: MergeReport {
    var report = self
    report.isInterrupted = true
    return report
  }

  /// Whether two libraries contradict each other somewhere, or something of one could not be taken.
  package var hasProblems: Bool { libraries.contains { !$0.conflicts.isEmpty || !$0.damaged.isEmpty } }
}
