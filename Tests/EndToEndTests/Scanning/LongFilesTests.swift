import Foundation
import Testing
import TestSupport

/// A file of any length is read in constant memory, except for what is stored of it.
struct LongFilesTests {
  /// Hours; ten of them on request, because decoding takes its time.
  private static let durations =
    TestSize.isSlow ? [1, 10] : [1]

  private struct Peaks {
    var worker = 0
    var scan = 0
  }

  /// Scans a folder with one worker; what it and the scan held at most.
  private func scan(_ music: MusicFolder, _ deadwax: DeadwaxCommand) async throws -> (
    report: ScanDocument, peaks: Peaks
  ) {
    let scan = try deadwax.start(["scan", "--json", "--jobs", "1", music.path])
    var peaks = Peaks()
    while scan.isRunning {
      for worker in scan.workers {
        peaks.worker = max(peaks.worker, ProcessTable.peakMemory(of: worker.processID) ?? 0)
      }
      peaks.scan = max(peaks.scan, ProcessTable.peakMemory(of: scan.processID) ?? 0)
      try await Task.sleep(for: .milliseconds(20))
    }
    let outcome = try await scan.outcome()
    try #require(outcome.status == 0, "\(outcome)")
    return (try outcome.document(ScanDocument.self), peaks)
  }

  private func check(_ peaks: Peaks) {
    // Half of it are the program's own pages, which all workers share.
    #expect(peaks.worker > 0 && peaks.worker < 110 << 20, "the worker held \(peaks.worker >> 20) MiB")
    #expect(peaks.scan > 0 && peaks.scan < 150 << 20, "the scan held \(peaks.scan >> 20) MiB")
  }

  // Faults: 33
  @Test(arguments: durations)
  func `a file of many hours costs the memory of a short one`(hours: Int) async throws {
    let music = try MusicFolder()
    try music.addSilence(seconds: hours * 3600, as: "long.wav")
    let (report, peaks) = try await scan(music, DeadwaxCommand())
    #expect(report.audio_seconds == Double(hours) * 3600)
    #expect(report.problems == 0)
    check(peaks)
  }

  // Faults: 32
  @Test func `ten hours of silence in a few kilobytes are streamed, and what is stored of them is bounded`()
    async throws
  {
    let music = try MusicFolder()
    let bytes = FLACBytes.constant(frameCount: 36_000 * 8000, sampleRateInHz: 8000)
    #expect(bytes.count < 70_000)
    try music.write(bytes, to: "bomb.flac")
    // Copies of the same recording cost nothing more.
    for number in 1...100 { try music.write(bytes, to: "copies/\(number).flac") }
    let deadwax = try DeadwaxCommand()
    let (report, peaks) = try await scan(music, deadwax)
    #expect(report.found == 101)
    #expect(report.decoded_files == 1)
    #expect(report.audio_seconds == 36_000)
    #expect(report.problems == 0)
    check(peaks)
    let size = try FileManager.default.attributesOfItem(atPath: deadwax.library.path)[.size] as? Int
    #expect(try #require(size) < 24 << 20)
  }

  // Faults: 32
  @Test func `a file of more than two days is oversize, and not tried again`() async throws {
    let music = try MusicFolder()
    try music.write(FLACBytes.constant(frameCount: 49 * 360_000, sampleRateInHz: 100), to: "long.flac")
    let deadwax = try DeadwaxCommand()
    let (report, peaks) = try await scan(music, deadwax)
    #expect(report.problems == 1)
    check(peaks)
    let problem = try #require(try await deadwax.run(["problems", "--jsonl"]).lines(ProblemRow.self).first)
    #expect(problem.state == "oversize")
    #expect(problem.reason == "longer than 48 hours of audio")
    let again = try await deadwax.run(["scan", "--json", music.path]).document(ScanDocument.self)
    #expect(again.unchanged == 1)
    #expect(again.decoded_files == 0)
    // Nor does a reanalysis of what is missing try it: two days would be decoded in vain.
    let reanalysis = try await deadwax.run(["reanalyze", "--missing", "--json"])
      .document(ReanalysisDocument.self)
    #expect(reanalysis.recordings == 0 && reanalysis.decoded_files == 0)
  }

  // Faults: 14
  /// 64 channels of 64-bit floats at 384 kHz, so that the bytes are many and the frames few.
  @Test(arguments: ["rf64", "w64"])
  func `a file of more than 4 GiB is decoded to its end in the memory of a small one`(_ format: String) async throws {
    let music = try MusicFolder()
    let frameCount = 1 << 23 + 1 << 12
    let shape = ChunkBytes.format(isFloat: true, channelCount: 64, sampleRateInHz: 384_000, bitsPerSample: 64)
    let header =
      format == "w64"
      ? ChunkBytes.wave64Header(dataByteCount: frameCount * 512, format: shape)
      : ChunkBytes.rf64Header(dataByteCount: frameCount * 512, format: shape)
    try music.write(header, to: "long.\(format)")
    let handle = try FileHandle(forWritingTo: music.file("long.\(format)"))
    try handle.truncate(atOffset: UInt64(header.count + frameCount * 512))
    try handle.close()
    let deadwax = try DeadwaxCommand()
    let (report, peaks) = try await scan(music, deadwax)
    #expect(report.problems == 0)
    check(peaks)
    let track: TrackDocument = try await deadwax.run(["show", "--json", music.file("long.\(format)").path]).document()
    #expect(track.format.decoded_frames == Int64(frameCount))
    #expect(track.format.container == format)
  }
}
