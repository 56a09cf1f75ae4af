import Foundation
import TestSupport
import Testing

/// What holds after everything that can happen to a scan: made before the fault, asked after it.
struct Invariants: Sendable {
  private let roots: [URL]
  private let trees: [URL: TreeDigest]
  /// Arguments of every scan that checks.
  private let options: [String]

  /// - Parameter options: More arguments for scans, such as a deadline.
  init(_ roots: URL..., options: [String] = []) throws {
    self.roots = roots
    self.options = options
    trees = try Dictionary(uniqueKeysWithValues: roots.map { ($0, try TreeDigest(of: $0)) })
  }

  /// A library of the same folders that nothing happened to.
  func freshDump() async throws -> LibraryDump {
    let deadwax = try DeadwaxCommand()
    let outcome = try await deadwax.run(["scan"] + options + roots.map(\.path))
    #expect(outcome.status == 0, "\(outcome)")
    return try await LibraryDump(deadwax)
  }

  /// Checks a library right after the fault, then after one undisturbed scan, then after another one.
  ///
  /// - Parameter expected: Made by ``freshDump()`` if it is not given.
  func check(_ deadwax: DeadwaxCommand, equals expected: LibraryDump? = nil) async throws {
    try await requireNoOrphans()
    if FileManager.default.fileExists(atPath: deadwax.library.path) { try await requireSound(deadwax) }

    let scan = try await deadwax.run(["scan"] + options + roots.map(\.path))
    #expect(scan.status == 0, "\(scan)")
    requireNoLeftovers(deadwax)
    try await requireSound(deadwax)
    try await requireOneRowForEachFile(deadwax)
    let dump = try await LibraryDump(deadwax)
    var fresh = expected
    if fresh == nil { fresh = try await freshDump() }
    if let fresh { #expect(dump == fresh, "\(dump.difference(from: fresh))") }

    let again = try await deadwax.run(["scan", "--json"] + options + roots.map(\.path))
    let report = try again.document(ScanReport.self)
    #expect(report.decoded_files == 0)
    #expect(report.new + report.moved + report.missing == 0)
    #expect(try await LibraryDump(deadwax) == dump)
    requireNoLeftovers(deadwax)
    for root in roots { #expect(try TreeDigest(of: root) == trees[root], "somebody wrote to the music") }
  }

  /// Workers end with their scan, however that ended; the kernel needs a moment for it.
  private func requireNoOrphans() async throws {
    var orphans: [ProcessTable.Entry] = []
    for _ in 0..<100 {
      orphans = ProcessTable.workers().filter { !ProcessTable.isRunning($0.scanID) }
      if orphans.isEmpty { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(orphans.isEmpty, "workers without a scan")
  }

  private func requireSound(_ deadwax: DeadwaxCommand) async throws {
    let outcome = try await deadwax.run(["doctor", "--deep"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.text.contains(": sound"))
  }

  private func requireNoLeftovers(_ deadwax: DeadwaxCommand) {
    let names = (try? deadwax.home.names()) ?? []
    #expect(names.filter { $0.hasPrefix(".") || $0.hasPrefix("library") } == ["library.sqlite"])
  }

  private func requireOneRowForEachFile(_ deadwax: DeadwaxCommand) async throws {
    let listed = try await deadwax.run(["ls", "--format", "jsonl", "--fields", "path,state"]).lines(ListedPath.self)
      .filter { $0.state != "missing" }.map(\.path).sorted()
    let found = try roots.flatMap { root in try Self.audioFiles(below: root) }.sorted()
    #expect(listed == found)
  }

  private struct ListedPath: Decodable {
    var path: String
    var state: String
  }

  /// The folder as another program sees it.
  private static func audioFiles(below root: URL) throws -> [String] {
    let others: Set = ["jpg", "png", "txt", "dat", "json", "md", "sh", "py"]
    return try TreeDigest(of: root).entries.filter { $0.value.isRegularFile }.keys
      .filter { !others.contains(URL(filePath: $0).pathExtension.lowercased()) }
      .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
      .map { root.path + "/" + $0 }
  }
}
