package import MediaModel

/// How a scan ended.
package struct ScanReport: Sendable {
  /// Why files that are gone were not marked as missing.
  package struct SafetyStop: Sendable {
    package var root: BytePath
    package var reason: String
  }

  package struct Warning: Sendable {
    package var path: BytePath
    package var reason: String
  }

  package var summary = ScanSummary()
  package var roots: [BytePath] = []
  package var safetyStops: [SafetyStop] = []
  /// Folders and files that could not be seen; they keep what is known of them.
  package var warnings: [Warning] = []
  package var skippedLinkCount = 0
  package var skippedSpecialFiles: [BytePath] = []
  /// The signal that ended the scan early.
  package var stoppedBySignal: Int32?
  /// Files that were to be read and were not, because of that signal.
  package var unreadCount = 0
  package var sandbox: SandboxStatus?

  package init() {}
}
