package import Base
package import DecodingService
package import LibraryScanning
package import MediaModel

/// How a scan ended.
package struct ScanReport: Sendable {
  /// Why files of a root that were not found were not marked as missing.
  package struct SafetyStop: Sendable {
    package enum Reason: Hashable, Sendable, CustomStringConvertible {
      case unavailable(SystemError)
      /// Another folder took the root's place during the scan.
      case replaced
      /// The root is on another file system than before.
      case otherVolume(vanishedCount: Int, knownCount: Int)
      /// Nothing was found in all of the root.
      case empty(vanishedCount: Int)
      /// Too many of the known files vanished at once.
      case manyVanished(vanishedCount: Int, knownCount: Int)

      package var description: String {
        switch self {
        case .unavailable(let error): "root unavailable: \(error)"
        case .replaced: "the folder was replaced while it was scanned; nothing was marked as missing"
        case .otherVolume(let vanished, let known): "different volume: \(vanished) of \(known) files are not on it"
        case .empty(let vanished):
          "the folder is empty, but the library has \(vanished == 1 ? "1 file" : "\(vanished) files") in it "
            + "(is a disk not mounted?)"
        case .manyVanished(let vanished, let known): "\(vanished) of \(known) files vanished at once"
        }
      }
    }

    package var root: BytePath
    package var reason: Reason
  }

  /// A folder or files that could not be read; what is known of them is kept.
  package struct Warning: Sendable {
    package enum Reason: Hashable, Sendable, CustomStringConvertible {
      case unreadable(SystemError)
      /// A disk that was mounted below the root, with so many known files, is not there.
      case diskAway(fileCount: Int)
      /// On the list of files to scan, but neither there nor in the library.
      case absent
      /// A line of a CUE sheet was not read as it stands.
      case oddSheet(CueSheet.Fault)
      /// A file beside sounds that is called like a cover and is none.
      case noPicture(String)

      package var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .diskAway(let count): "a disk with \(count == 1 ? "1 file" : "\(count) files") is missing"
        case .absent: "listed, but does not exist"
        case .oddSheet(let fault): fault.description
        case .noPicture(let reason): "no cover: \(reason)"
        }
      }
    }

    package var path: BytePath
    package var reason: Reason
  }

  package var summary = ScanSummary()
  package var roots: [BytePath] = []
  package var safetyStops: [SafetyStop] = []
  package var warnings: [Warning] = []
  /// Known files that are there, but that this scan leaves out: by a pattern, or behind a link.
  package var excludedCount = 0
  package var skippedLinkCount = 0
  package var skippedSpecialFiles: [BytePath] = []
  /// The signal that ended the scan early.
  package var stoppedBySignal: Int32?
  /// Files that were not read because of that signal.
  package var unreadCount = 0
  package var sandbox: SandboxStatus?
  /// Files whose bytes were compared with what was read before, or with a checksum, and agreed.
  package var verifiedCount = 0
  /// What became of recordings about which users decided something.
  package var identities: [IdentityChange] = []

  package init() {}
}
