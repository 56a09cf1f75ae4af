/// The result of a scan, as numbers of files.
package struct ScanSummary: Hashable, Sendable {
  package var found = 0
  package var new = 0
  package var changed = 0
  package var unchanged = 0
  package var moved = 0
  package var missing = 0
  /// Files whose state is now neither `ok` nor `missing`.
  package var problems = 0
  package var decodedFiles = 0
  package var audioInSeconds = 0.0
  package var elapsedInSeconds = 0.0
  /// Whether a signal ended the scan; what was read until then is kept.
  package var isInterrupted = false

  package init() {}
}
