package import Base
internal import DecodingService
package import LibraryScanning
internal import LibraryTracks
internal import MediaModel

/// What a scan must do about its roots, decided from what is stored and what was found. Pure: nothing is opened.
package struct ScanPlan: Sendable {
  /// A file to open.
  package struct Candidate: Sendable {
    package var rootID: Int64
    package var path: BytePath
    package var status: FileStatus
    /// What is known of this path; nil for a new one.
    package var known: KnownFile?

    /// Whether it is read only because the scan is deep: time and size are as before, and its state is of this version.
    package var isRecheck = false

    /// Whether it is also one of the moves: it was renamed, and only reading tells whether it was written to as well.
    package var isMoved = false

    /// Whether inode numbers last on its file system: see ``FileSystemIdentity/hasLastingInodes``.
    var hasLastingInode = true

    var job: FileJob { FileJob(rootID: rootID, path: path, status: status, known: known) }

    /// Whether a known path holds another file, or the file was written to; false for one that is only tried again.
    package var isChanged: Bool { known != nil && !isAsStored && !isMoved }

    private var isAsStored: Bool {
      known.map { ScanPlan.isSame($0.status, status, hasLastingInode: hasLastingInode) } ?? false
    }

    /// Why the file is opened, for people.
    package var cause: String {
      guard let known else { return "it is new" }
      if isRecheck { return "the scan is deep" }
      if isMoved { return "it was renamed, and perhaps written to" }
      if isAsStored {
        return switch known.lastState {
        case .unreadable: "it could not be read last time"
        case .pending: "it was being written last time"
        default:
          ExtractorVersion.lacksLibrary(known.extractorVersion)
            ? "a library that it needs was missing"
            : "it was \(known.lastState.rawValue) for another version of the program"
        }
      }
      if hasLastingInode && known.status.inode != status.inode { return "another file has taken this path" }
      if known.status.byteCount != status.byteCount {
        return "its size changed from \(known.status.byteCount) to \(status.byteCount) bytes"
      }
      return "it was written to or touched"
    }
  }

  package struct Move: Sendable {
    package var known: KnownFile
    /// The root that it leaves.
    var formerRootID: Int64
    package var rootID: Int64
    package var path: BytePath
    /// Without a time of change if the file is still to be read: if it is not, the next scan does it.
    package var status: FileStatus
  }

  /// Files to open, in the order found.
  package var candidates: [Candidate] = []
  /// Found elsewhere by inode, size and time. Those whose time of change differs are also ``candidates``.
  package var moves: [Move] = []
  /// Known at their place; only their status must be updated (back from missing, or another device number).
  package var restated: [(known: KnownFile, status: FileStatus)] = []
  package var unchangedCount = 0
  /// Files that keep a problem of an earlier scan, because nothing about them changed.
  package var keptProblemCount = 0
  /// Known files that were not found anywhere, without those that were missing before.
  package var vanished: [(rootID: Int64, known: KnownFile)] = []
  /// All known files without a place, also those that were missing before: a new file may turn out to be one of them.
  package var displaced: [(rootID: Int64, known: KnownFile)] = []
  package var foundCount = 0
}

extension ScanPlan {
  /// One root (or the part of it that was walked) with what is stored of it.
  package struct Root {
    package let id: Int64
    /// In the order of the store.
    package let known: [KnownFile]
    package let found: [DirectoryWalker.File]
    /// Whether inode numbers last on its file system; if not, another inode alone is not a change.
    let hasLastingInodes: Bool
    /// For each found file the index of its path in ``known``, or nil.
    let knownIndexes: [Int?]
    /// For each known file whether it is certainly gone. A file that was neither found nor is gone was left out, by a
    /// new rule or because its folder could not be read; what is known of it is kept.
    let isGone: [Bool]
    /// For each known file whether it was neither found nor is gone.
    let isLeftOut: [Bool]

    /// - Parameter isGone: Called for each known file that was not found.
    package init(
      id: Int64, known: [KnownFile], found: [DirectoryWalker.File], hasLastingInodes: Bool = true,
      isGone: (KnownFile) -> Bool = { _ in true }
    ) {
      self.id = id
      self.known = known
      self.found = found
      self.hasLastingInodes = hasLastingInodes
      let indexes = Dictionary(zip(known.map(\.path), known.indices), uniquingKeysWith: { first, _ in first })
      knownIndexes = found.map { indexes[$0.path] }
      var isFound = [Bool](repeating: false, count: known.count)
      for case .some(let index) in knownIndexes { isFound[index] = true }
      self.isGone = zip(known, isFound).map { !$1 && isGone($0) }
      isLeftOut = zip(isFound, self.isGone).map { !$0 && !$1 }
    }

    fileprivate func candidate(
      _ file: DirectoryWalker.File, _ stored: KnownFile?, isRecheck: Bool = false
    ) -> Candidate {
      Candidate(
        rootID: id, path: file.path, status: file.status, known: stored, isRecheck: isRecheck,
        hasLastingInode: hasLastingInodes)
    }
  }

  /// What a rename does not change. It changes the time of change, unless only a folder above was renamed; but so does
  /// writing to a file.
  private struct Trace: Hashable {
    let inode: UInt64
    let stamp: FileStatus.Stamp

    init(_ status: FileStatus) {
      inode = status.inode
      stamp = status.stamp
    }
  }

  /// Which files that could not be decoded are tried again.
  package struct Retries {
    private let extractorVersion: Int
    private let versionWithLibraries: Int?

    /// - Parameter versionWithLibraries: That of files for which a library is missing now; nil if no file needs it.
    package init(extractorVersion: Int = ExtractorVersion.current, versionWithLibraries: Int? = nil) {
      self.extractorVersion = extractorVersion
      self.versionWithLibraries = versionWithLibraries
    }

    fileprivate func include(_ stored: KnownFile) -> Bool {
      switch stored.lastState {
      case .unreadable, .pending: true
      case .unsupported, .crashed, .timeout, .oversize, .damaged, .empty:
        stored.extractorVersion
          != (ExtractorVersion.lacksLibrary(stored.extractorVersion) ? versionWithLibraries : extractorVersion)
      case .ok, .missing: false
      }
    }
  }

  /// - Parameter isDeep: Whether files are opened although nothing about them changed.
  package init(roots: [Root], isDeep: Bool = false, retries: Retries = Retries()) {
    var unsettled: [Candidate] = []
    for root in roots {
      foundCount += root.found.count
      var isUnplaced = root.isGone
      for (file, index) in zip(root.found, root.knownIndexes) {
        guard let index else {
          unsettled.append(root.candidate(file, nil))
          continue
        }
        let stored = root.known[index]
        if stored.kind == .other, !isDeep, stored.status.stamp == file.status.stamp {
          // What an older version stored although it is no sound is not looked at again.
          foundCount -= 1
        } else if Self.isSame(stored.status, file.status, hasLastingInode: root.hasLastingInodes) {
          settle(file, stored, in: root, isDeep: isDeep, retries: retries)
        } else if stored.status.inode == file.status.inode {
          // The same file, written to or touched.
          candidates.append(root.candidate(file, stored))
        } else {
          // Another file has taken this path; the one that was here may have moved.
          unsettled.append(root.candidate(file, stored))
          isUnplaced[index] = true
        }
      }
      displaced += zip(root.known, isUnplaced).filter(\.1).map { (root.id, $0.0) }
    }
    vanished = displaced.filter { $0.known.state != .missing }
    var byTrace = Dictionary(grouping: displaced) { Trace($0.known.status) }
    // Inode numbers do not last on every file system, and are reused: alone they do not identify files.
    let stampCounts = Dictionary(grouping: displaced) { $0.known.status.stamp }.mapValues(\.count)
    var movedIDs: Set<Int64> = []
    var replacedIDs: Set<Int64> = []
    for candidate in unsettled {
      let trace = Trace(candidate.status)
      if !isDeep, stampCounts[trace.stamp] == 1,
        let origin = byTrace[trace]?.first(where: { Self.canMoveUnread($0.known, retries) })
      {
        byTrace[trace]?.removeAll { $0.known.id == origin.known.id }
        movedIDs.insert(origin.known.id)
        var move = Move(
          known: origin.known, formerRootID: origin.rootID, rootID: candidate.rootID, path: candidate.path,
          status: candidate.status)
        if candidate.status.changeTimeInNanoseconds != origin.known.status.changeTimeInNanoseconds {
          move.status.changeTimeInNanoseconds = 0
          var renamed = candidate
          renamed.known = origin.known
          renamed.isMoved = true
          candidates.append(renamed)
        }
        moves.append(move)
      } else {
        candidates.append(candidate)
        if let stored = candidate.known { replacedIDs.insert(stored.id) }
      }
    }
    // A file whose path now holds another one did not vanish: it was replaced.
    displaced.removeAll { movedIDs.contains($0.known.id) || replacedIDs.contains($0.known.id) }
    vanished.removeAll { movedIDs.contains($0.known.id) || replacedIDs.contains($0.known.id) }
    // Nor did a file whose path a moved file takes: its row is deleted when that one is stored.
    let takenPaths = Set(moves.map(\.newPlace))
    displaced.removeAll { takenPaths.contains(PlacedPath(rootID: $0.rootID, path: $0.known.path)) }
    vanished.removeAll { takenPaths.contains(PlacedPath(rootID: $0.rootID, path: $0.known.path)) }
  }

  private mutating func settle(
    _ file: DirectoryWalker.File, _ stored: KnownFile, in root: Root, isDeep: Bool, retries: Retries
  ) {
    let isDue = retries.include(stored)
    if isDeep || isDue {
      candidates.append(root.candidate(file, stored, isRecheck: !isDue))
      return
    }
    // A file that never claimed to be audio has no problem.
    let isExpected = stored.recordingID != nil || FileNameHint(pathExtension: file.path.pathExtension) == .audio
    if stored.lastState != .ok && isExpected { keptProblemCount += 1 }
    if stored.state == .missing || stored.status != file.status {
      restated.append((stored, file.status))
    } else {
      unchangedCount += 1
    }
  }

  /// Whether nothing was written. Device numbers do not count, because they change when disks are plugged in in another
  /// order; inodes count only if they last.
  fileprivate static func isSame(_ stored: FileStatus, _ found: FileStatus, hasLastingInode: Bool) -> Bool {
    var found = found
    found.device = stored.device
    if !hasLastingInode { found.inode = stored.inode }
    return stored == found
  }

  private static func canMoveUnread(_ stored: KnownFile, _ retries: Retries) -> Bool {
    stored.recordingID != nil && !retries.include(stored)
  }
}

extension ScanPlan {
  /// The moves in groups that must be stored together, in an order in which no file takes a path that another one still
  /// holds.
  ///
  /// Files that swap places in a ring are a group; every other file is a group of its own.
  package var moveGroups: [[Move]] {
    let leaving = Dictionary(zip(moves.map(\.oldPlace), moves.indices), uniquingKeysWith: { first, _ in first })
    var isGrouped = [Bool](repeating: false, count: moves.count)
    var groups: [[Move]] = []
    for start in moves.indices where !isGrouped[start] {
      // Follow the paths that are taken until one is free, or left by an earlier group, or the ring is closed.
      var chain: [Move] = []
      var next: Int? = start
      while let index = next, !isGrouped[index] {
        isGrouped[index] = true
        chain.append(moves[index])
        next = leaving[moves[index].newPlace]
      }
      if next == start { groups.append(chain) } else { groups += chain.reversed().map { [$0] } }
    }
    return groups
  }
}

extension ScanPlan.Move {
  var oldPlace: PlacedPath { .init(rootID: formerRootID, path: known.path) }
  var newPlace: PlacedPath { .init(rootID: rootID, path: path) }
}
