import Foundation
import TestSupport
import Testing

/// A file of any length is read in constant memory, but for what is stored of it.
struct LongFilesTests {
  /// Hours; ten of them on request, because decoding takes its time.
  private static let durations =
    ProcessInfo.processInfo.environment["DEADWAX_TEST_LONG"] == nil ? [1] : [1, 10]

  @Test(arguments: durations)
  func `a file of many hours costs the memory of a short one`(hours: Int) async throws {
    let music = try MusicFolder()
    try music.addSilence(seconds: hours * 3600, as: "long.wav")
    let deadwax = try DeadwaxCommand()
    let scan = try deadwax.start(["scan", "--json", "--jobs", "1", music.path])
    var (workerPeak, scanPeak) = (0, 0)
    while scan.isRunning {
      for worker in scan.workers { workerPeak = max(workerPeak, ProcessTable.peakMemory(of: worker.processID) ?? 0) }
      scanPeak = max(scanPeak, ProcessTable.peakMemory(of: scan.processID) ?? 0)
      try await Task.sleep(for: .milliseconds(20))
    }
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    let report = try outcome.document(ScanReport.self)
    #expect(report.audio_seconds == Double(hours) * 3600)
    #expect(report.problems == 0)
    #expect(workerPeak > 0 && workerPeak < 100 << 20, "the worker held \(workerPeak >> 20) MiB")
    #expect(scanPeak > 0 && scanPeak < 150 << 20, "the scan held \(scanPeak >> 20) MiB")
  }
}
