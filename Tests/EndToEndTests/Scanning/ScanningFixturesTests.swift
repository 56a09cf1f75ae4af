import Foundation
import MediaModel
import TestSupport
import Testing

/// What the command finds in the project's own music folder, compared with what other programs find there.
struct ScanningFixturesTests {
  @Test func `the golden file can be read`() throws {
    #expect(try ExpectedFile.load().count > 60)
    // The arguments of the other tests.
    #expect(ExpectedFile.audio.count { $0.frameCount != nil } > 20)
    #expect(ExpectedFile.damaged.count { $0.isFrameCountExact == true } > 10)
  }

  @Test func `the scan counts what it found`() async throws {
    let scan = try await ScannedFixtures.audio.value.scan
    #expect(scan.status == 0, "\(scan)")
    let report = try scan.document(ScanDocument.self)
    #expect(report.schema == 1)
    #expect(report.found == ExpectedFile.audio.count)
    #expect(report.new == ExpectedFile.audio.count)
    #expect(report.missing == 0)
    #expect(report.problems == ExpectedFile.audio.count { $0.states != ["ok"] })
    let seconds = ExpectedFile.audio.compactMap(\.durationInSeconds).reduce(0, +)
    #expect(abs(report.audio_seconds - seconds) < 0.01)
  }

  @Test(arguments: ExpectedFile.audio)
  func `a track is listed with its names, length and state`(file: ExpectedFile) async throws {
    let track = try #require(try await ScannedFixtures.audio.value.tracks[file.path])
    #expect(track.title == file.title?.joined(separator: "; "))
    #expect(track.artist == file.artist?.joined(separator: "; "))
    #expect(track.album == file.album?.joined(separator: "; "))
    #expect(track.codec == file.codec)
    #expect(file.states.contains(track.state))
    if let duration = file.durationInSeconds {
      #expect(abs(try #require(track.duration) - duration) < 0.001)
    } else {
      #expect(track.duration == nil)
    }
  }

  @Test(arguments: ExpectedFile.audio)
  func `a track is shown with its exact format and every value of its tags`(file: ExpectedFile) async throws {
    let track = try await ScannedFixtures.audio.value.show(file)
    #expect(track.schema == 1)
    #expect(track.format.container == file.container)
    #expect(track.format.codec == file.codec)
    if file.isFrameCountExact == false, let frameCount = file.frameCount {
      #expect(abs(try #require(track.format.decoded_frames) - frameCount) <= 1)
    } else {
      #expect(track.format.decoded_frames == file.frameCount)
    }
    if file.frameCount != nil {
      #expect(track.format.sample_rate_hz == file.sampleRateInHz)
      #expect(track.format.channels == file.channelCount)
    }
    #expect(track.tag("title") == file.title)
    #expect(track.tag("artist") == file.artist)
    #expect(track.tag("album") == file.album)
    #expect(track.tag("genre") == file.genre)
  }

  @Test(arguments: ExpectedFile.audio.filter { $0.frameCount != nil })
  func `a waveform has a point for every 256 frames begun`(file: ExpectedFile) async throws {
    let deadwax = try await ScannedFixtures.audio.value.deadwax
    let folder = try TemporaryFolder()
    let output = folder.appending("waveform.dat")
    let outcome = try await deadwax.run(["waveform", file.url.path, "--zoom", "256", "-o", output.path])
    #expect(outcome.status == 0, "\(outcome)")
    let peaks = try WaveformPeaks(datBytes: Array(Data(contentsOf: output)))
    #expect(peaks.sampleRateInHz == file.sampleRateInHz)
    #expect(peaks.pointCount == Int((try #require(file.frameCount) + 255) / 256))
    #expect(peaks.values.contains { $0 != 0 })
  }

  @Test func `a second scan decodes nothing`() async throws {
    let music = try MusicFolder("audio/The Locked Grooves", "audio/Public Address")
    let deadwax = try DeadwaxCommand()
    let first = try await deadwax.run(["scan", "--json", music.path]).document(ScanDocument.self)
    let second = try await deadwax.run(["scan", "--json", music.path]).document(ScanDocument.self)
    #expect(first.new == 11)
    #expect(second.unchanged == 11)
    #expect(second.new + second.changed + second.moved + second.missing == 0)
    #expect(second.decoded_files == 0)
  }

  @Test func `what is missing of a sound is decoded once, however many new copies of it there are`() async throws {
    let (deadwax, music) = (try DeadwaxCommand(), try MusicFolder("damaged/clean.mp3"))
    try #require(try await deadwax.run(["scan", "--product", "waveform", music.path]).status == 0)
    for number in 0..<4 { try music.add(fixture: "damaged/clean.mp3", as: "copy \(number).mp3") }
    let scan = try await deadwax.run(["scan", "--json", "--jobs", "2", music.path])
    let report = try scan.document(ScanDocument.self)
    #expect(report.new == 4 && report.decoded_files == 1, "\(scan)")
    let missing = try await deadwax.run(["reanalyze", "--missing", "--dry-run", "--json"])
    #expect(try missing.document(ReanalysisDocument.self).recordings == 0, "\(missing)")
  }

  // Faults: 70
  @Test func `no byte and no time of the music folder changes`() async throws {
    let music = try MusicFolder("audio/Lathe & Lantern", "damaged")
    let before = try TreeDigest(of: music.url)
    let outcome = try await DeadwaxCommand().run(["scan", music.path])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try TreeDigest(of: music.url) == before)
  }
}

extension ExpectedFile {
  fileprivate var durationInSeconds: Double? {
    guard let frameCount, let sampleRateInHz else { return nil }
    return Double(frameCount) / Double(sampleRateInHz)
  }
}

/// The number of workers must not show in the results.
struct WorkerCountsTests {
  @Test(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
  func `one, two and four workers make the same library`() async throws {
    let music = try MusicFolder("audio", "damaged")
    // Copies: who decodes a sound first, all files that hold it must agree.
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
