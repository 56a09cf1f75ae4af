import Foundation
import Testing
import TestSupport

/// Damaged and misleading files become rows with a state and a reason; the scan itself succeeds.
struct DamagedFilesTests {
  /// By path below fixtures/.
  private static let problems = Task {
    let outcome = try await ScannedFixtures.damaged.value.deadwax.run(["problems", "--jsonl"])
    let root = Corpora.fixtures.resolvingSymlinksInPath().path + "/"
    return try Dictionary(
      outcome.lines(ProblemRow.self).map { ($0.path.replacing(root, with: "", maxReplacements: 1), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  @Test func `the scan succeeds and counts every file`() async throws {
    let scan = try await ScannedFixtures.damaged.value.scan
    #expect(scan.status == 0, "\(scan)")
    #expect(try scan.document(ScanDocument.self).found == ExpectedFile.damaged.count)
  }

  @Test func `a strict scan says by its status that there were problems`() async throws {
    let music = try MusicFolder("damaged/truncated.wav")
    #expect(try await DeadwaxCommand().run(["scan", "--strict", music.path]).status == 3)
  }

  // Faults: 7, 19, 21
  @Test(arguments: ExpectedFile.damaged)
  func `a file has a state that fits it`(file: ExpectedFile) async throws {
    let problem = try await Self.problems.value[file.path]
    #expect(file.states.contains(problem?.state ?? "ok"), "\(problem?.reason ?? "no problem")")
    if let problem { #expect(problem.reason?.isEmpty == false) }
  }

  // Faults: 18, 22
  @Test(arguments: ExpectedFile.damaged.filter { $0.isFrameCountExact == true })
  func `frames are counted, whatever the header says`(file: ExpectedFile) async throws {
    let track = try await ScannedFixtures.damaged.value.show(file)
    #expect(track.format.decoded_frames == file.frameCount)
    #expect(track.format.container == file.container)
    #expect(track.format.codec == file.codec)
  }

  @Test(arguments: ["truncated.flac", "truncated.mp3", "truncated.ogg", "junk-inside.mp3"])
  func `what can be decoded of a broken file is decoded`(name: String) async throws {
    let file = try #require(ExpectedFile.damaged.first { $0.path == "damaged/\(name)" })
    let track = try await ScannedFixtures.damaged.value.show(file)
    let reference = try #require(file.frameCount)
    // Decoders differ in what they make of the block at the break; one block of the codec is at most 4,096 frames.
    #expect(abs(try #require(track.format.decoded_frames) - reference) <= 4096)
  }

  @Test func `what is missing is silence, so that the rest is in its place`() async throws {
    // Three seconds by the positions of its pages; others play what is there one after the other.
    let file = try #require(ExpectedFile.damaged.first { $0.path == "damaged/hole.ogg" })
    #expect(try await ScannedFixtures.damaged.value.show(file).format.decoded_frames == 132_300)
  }

  @Test(arguments: ["tags-behind.mp3", "hostile-tags.mp3", "junk-before.mp3"])
  func `tags and junk around the frames do not change the identity of a sound`(name: String) async throws {
    let fixtures = try await ScannedFixtures.damaged.value
    let clean = try #require(ExpectedFile.damaged.first { $0.path == "damaged/clean.mp3" })
    let other = try #require(ExpectedFile.damaged.first { $0.path == "damaged/\(name)" })
    let expected = try await fixtures.show(clean)
    let found = try await fixtures.show(other)
    #expect(found.hash == expected.hash)
    #expect(found.id == expected.id)
  }

  @Test(arguments: [["ls"], ["show", "hostile-tags"], ["problems"], ["status"]])
  func `no control character reaches standard output raw`(arguments: [String]) async throws {
    let music = try MusicFolder("damaged/hostile-tags.mp3", "damaged/truncated.wav")
    let deadwax = try DeadwaxCommand()
    _ = try await deadwax.run(["scan", music.path])
    let path = music.url.appending(path: "hostile-tags.mp3").path
    let outcome = try await deadwax.run(arguments.map { $0 == "hostile-tags" ? path : $0 })
    #expect(outcome.status == 0, "\(outcome)")
    #expect(!outcome.text.isEmpty)
    #expect(!outcome.standardOutput.contains(0x1B))
    #expect(!outcome.text.contains("\u{202E}"))
  }
}
