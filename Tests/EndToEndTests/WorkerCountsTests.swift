import Testing
import TestSupport

/// How many workers share the files must not show in the results.
struct WorkerCountsTests {
  @Test(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
  func `one, two and four workers make the same library`() async throws {
    let music = try MusicFolder("audio", "damaged")
    // Copies: whoever decodes a sound first, all files that hold it must agree.
    try music.add(music.file("damaged/truncated.flac"), as: "copies/a.flac")
    try music.add(music.file("damaged/truncated.flac"), as: "copies/b.flac")
    var dumps: [LibraryDump] = []
    for count in [1, 2, 4] {
      let deadwax = try DeadwaxCommand()
      let outcome = try await deadwax.run(["scan", "--jobs", "\(count)", music.path])
      #expect(outcome.status == 0, "\(outcome)")
      dumps.append(try await LibraryDump(deadwax))
    }
    for dump in dumps.dropFirst() { #expect(dump == dumps[0], "\(dump.difference(from: dumps[0]))") }
  }
}
