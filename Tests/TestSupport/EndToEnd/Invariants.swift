package import Foundation

/// What must hold after any fault. Create it before the fault, and ask it afterwards.
package struct Invariants: Sendable {
  /// An invariant that does not hold.
  package struct Violation: Sendable, CustomStringConvertible {
    /// I1 to I8 of docs/reliability.md.
    package let invariant: Int
    package let reason: String

    package init(invariant: Int, reason: String) {
      self.invariant = invariant
      self.reason = reason
    }

    package var description: String { "I\(invariant): \(reason)" }
  }

  private let roots: [URL]
  private let trees: [URL: TreeDigest]
  /// Arguments of every scan of the check.
  private let options: [String]

  /// - Parameter options: More arguments of scans, such as a deadline.
  package init(_ roots: URL..., options: [String] = []) throws {
    self.roots = roots
    self.options = options
    trees = try Dictionary(uniqueKeysWithValues: roots.map { ($0, try TreeDigest(of: $0)) })
  }

  /// What a library of the same folders says that met no fault.
  package func freshDump() async throws -> LibraryDump {
    let deadwax = try DeadwaxCommand()
    let outcome = try await deadwax.run(["scan"] + options + roots.map(\.path))
    guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
    return try await LibraryDump(deadwax)
  }

  /// Checks a library right after the fault, then after one undisturbed scan, then after another one.
  ///
  /// - Parameters:
  ///   - users: What users had decided before the fault, such as ``DeadwaxCommand/decide()`` gives.
  ///   - expected: What the library must say in the end; ``freshDump()`` if it is not given.
  package func violations(
    of deadwax: DeadwaxCommand, users: UserDump, equals expected: LibraryDump? = nil
  ) async throws -> [Violation] {
    var found: [Violation] = []
    func require(_ invariant: Int, _ holds: Bool, _ reason: @autoclosure () -> String) {
      if !holds { found.append(Violation(invariant: invariant, reason: reason())) }
    }
    try await require(6, hasNoOrphans(), "workers without a scan")
    let left = try await UserDump(deadwax)
    require(1, left == users, "right after the fault: " + left.difference(from: users))
    if FileManager.default.fileExists(atPath: deadwax.library.path) {
      try await require(2, isSound(deadwax), "right after the fault")
    }

    let watched = try await watchedScan(deadwax)
    require(4, watched.outcome.status == 0, "the next scan: \(watched.outcome)")
    require(7, watched.peak.isBounded, watched.peak.description)
    require(6, hasNoLeftovers(deadwax), "left beside the library: \(names(beside: deadwax))")
    try await require(2, isSound(deadwax), "after the next scan")
    let (listed, files) = try await (listedFiles(deadwax), audioFiles())
    require(3, listed == files, "\(listed.count) rows for \(files.count) files")
    let dump = try await LibraryDump(deadwax)
    let fresh: LibraryDump
    if let expected { fresh = expected } else { fresh = try await freshDump() }
    require(4, dump == fresh, dump.difference(from: fresh))

    let again = try await deadwax.run(["scan", "--json"] + options + roots.map(\.path))
    let report = try again.document(ScanDocument.self)
    require(8, report.decoded_files == 0, "\(report.decoded_files) files decoded again")
    require(8, report.new + report.moved + report.missing == 0, "\(report)")
    try await require(8, LibraryDump(deadwax) == dump, "rows changed without a change of a file")
    let kept = try await UserDump(deadwax)
    require(1, kept == users, "after the scans: " + kept.difference(from: users))
    require(6, hasNoLeftovers(deadwax), "left beside the library: \(names(beside: deadwax))")
    for root in roots { require(5, try TreeDigest(of: root) == trees[root], "the music was written to") }
    return found
  }

  /// Workers end with their scan, however that ended; the kernel needs a moment for it.
  private func hasNoOrphans() async throws -> Bool {
    // Wait only for those that are there now: other runs on this machine may lose their scans meanwhile.
    var orphans = ProcessTable.workers().filter { !ProcessTable.isRunning($0.scanID) }
    for _ in 0..<500 where !orphans.isEmpty {
      try await Task.sleep(for: .milliseconds(20))
      orphans.removeAll { !ProcessTable.isRunning($0.processID) }
    }
    return orphans.isEmpty
  }

  private func isSound(_ deadwax: DeadwaxCommand) async throws -> Bool {
    let outcome = try await deadwax.run(["doctor", "--deep"])
    return outcome.status == 0 && outcome.text.contains(": intact")
  }

  private func watchedScan(_ deadwax: DeadwaxCommand) async throws -> (outcome: CommandOutcome, peak: ResourcePeak) {
    let scan = try deadwax.start(["scan"] + options + roots.map(\.path))
    let peak = try await scan.resourcePeak()
    return (try await scan.outcome(), peak)
  }

  private func names(beside deadwax: DeadwaxCommand) -> [String] {
    let folder = deadwax.library.deletingLastPathComponent().path
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.hasPrefix(".") || $0.hasPrefix("library") }
  }

  /// Backups may stay, and so may the copies from before a migration or a restore.
  private func hasNoLeftovers(_ deadwax: DeadwaxCommand) -> Bool {
    names(beside: deadwax).filter {
      !$0.hasPrefix("library.sqlite.schema-") && !$0.hasPrefix("library.sqlite.before-")
        && !$0.hasPrefix("library.backup")
    } == ["library.sqlite"]
  }

  private func listedFiles(_ deadwax: DeadwaxCommand) async throws -> [String] {
    try await deadwax.run(["ls", "--format", "jsonl", "--fields", TrackRow.fields]).lines(TrackRow.self)
      .filter { $0.state != "missing" }.map(\.path).sorted()
  }

  /// The audio files as a walk of its own finds them.
  private func audioFiles() throws -> [String] {
    let others: Set = ["jpg", "png", "txt", "dat", "json", "md", "sh", "py"]
    return try roots.flatMap { root in
      try TreeDigest(of: root).entries.filter { $0.value.isRegularFile }.keys
        .filter { !others.contains(URL(filePath: $0).pathExtension.lowercased()) }
        .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
        .map { root.path + "/" + $0 }
    }.sorted()
  }
}
