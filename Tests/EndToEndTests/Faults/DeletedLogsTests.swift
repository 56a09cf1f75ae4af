import Foundation
import Testing
import TestSupport

/// Somebody deletes SQLite's files beside a library while a scan writes to it.
struct DeletedLogsTests {
  // Faults: 183
  @Test(arguments: [["-shm"], ["-wal"], ["-wal", "-shm"]])
  func `no preset that was stored is lost`(suffixes: [String]) async throws {
    let deadwax = try DeadwaxCommand()
    let music = try MusicFolder("audio")
    try await deadwax.must(["preset", "copy", "bass", "Before"])
    let scan = try deadwax.start(["scan", music.path])
    // Until the scan has stored something.
    while scan.isRunning, logByteCount(deadwax.library) < 100_000 { try await Task.sleep(for: .milliseconds(5)) }
    for suffix in suffixes { try? FileManager.default.removeItem(atPath: deadwax.library.path + suffix) }
    var stored: Set = ["Before"]
    for number in 0..<4 {
      let outcome = try await deadwax.run(["preset", "copy", "bass", "Mine \(number)"])
      #expect([0, 5].contains(outcome.status), "\(outcome)")
      if outcome.status == 0 { stored.insert("Mine \(number)") }
    }
    let outcome = try await scan.outcome()
    #expect([0, 5].contains(outcome.status), "\(outcome)")
    try await deadwax.must(["preset", "copy", "bass", "After"])
    let list = try await deadwax.must(["preset", "ls"])
    for name in stored.union(["After"]) { #expect(list.text.contains(name), "\(name): \(list)") }
    try await deadwax.must(["scan", music.path])
    try await deadwax.must(["doctor", "--deep"])
  }

  private func logByteCount(_ library: URL) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: library.path + "-wal")[.size] as? Int) ?? 0
  }
}
