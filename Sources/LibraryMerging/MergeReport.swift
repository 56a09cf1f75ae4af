package import Base
package import MediaModel
package import UserData

/// What a merge did, or would do.
package struct MergeReport: Hashable, Sendable {
  package struct Library: Hashable, Sendable {
    package var path: BytePath
    package var roots = MergeCounts()
    package var files = MergeCounts()
    package var recordings = MergeCounts()
    /// Including measures.
    package var products = MergeCounts()
    package var pictures = MergeCounts()
    package var presets = MergeCounts()
    package var assignments = MergeCounts()
    package var lists = MergeCounts()
    package var attributes = MergeCounts()
    package var corrections = MergeCounts()
    package var plays = MergeCounts()
    /// Changes in the journal.
    package var changes = MergeCounts()
    /// Products whose bytes are missing or not those that were written; they were not copied.
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

  /// The copy of the library before the merge; nil if none was wanted or needed.
  package var keptAt: BytePath?
  /// The libraries that were merged completely.
  package var libraries: [Library] = []
  package var isInterrupted = false
  /// Whether this library was changed.
  package var isChanged = false

  /// This report, marked as that of a merge that was stopped.
  var interrupted: MergeReport {
    var report = self
    report.isInterrupted = true
    return report
  }

  /// Whether libraries contradict each other, or something could not be copied.
  package var hasProblems: Bool { libraries.contains { !$0.conflicts.isEmpty || !$0.damaged.isEmpty } }
}

/// What happened to the rows of one kind of another library.
package struct MergeCounts: Hashable, Sendable {
  /// Did not exist here.
  package var added = 0
  /// Existed here already.
  package var same = 0
  /// Replaced rows of this library: newer analyses, or the content of files that could not be read here.
  package var replaced = 0
  /// Contradict rows of this library, each with a ``MergeConflict``.
  package var different = 0

  package init(added: Int = 0, same: Int = 0, replaced: Int = 0, different: Int = 0) {
    self.added = added
    self.same = same
    self.replaced = replaced
    self.different = different
  }

  package var isEmpty: Bool { self == MergeCounts() }
}

/// A difference between two libraries; what this library has stays.
package enum MergeConflict: Hashable, Sendable {
  /// Another recording at the same path.
  ///
  /// - Parameter kept: nil if this library knows no recording in the file.
  case file(BytePath, kept: ContentHash?, other: ContentHash)
  /// The same stream, decoded to another length, sample rate or number of channels: the analyses are not mixed.
  case recording(ContentHash)
  /// Another preset of the same name; it is added as `newName`.
  case preset(String, newName: String)
  case list(String, newName: String)
  /// Another preset for the same subject: the names, or "off".
  case assignment(PresetSubject, kept: String, other: String)
  /// - Parameter label: the name of the recording, for people.
  case attribute(String, of: ContentHash, label: String, kept: String, other: String)
  /// - Parameters:
  ///   - of: a path or the name of a recording, for people.
  ///   - kept: the values that stay; empty for none.
  case correction(CorrectionField, of: String, kept: [String], other: [String])
  /// - Parameter of: an album or an artist, for people.
  case groupAttribute(String, of: String, kept: String, other: String)
}
