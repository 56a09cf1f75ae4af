import Foundation
import Testing
import TestSupport

/// `waveform` gives what audiowaveform gives, whether it reads stored peaks or decodes the file.
struct WaveformCommandTests {
  /// A library of the reference recording of shared/corpora, scanned once.
  private static let reference = Task {
    let folder = try #require(Corpora.root).appending(path: "waveforms")
    let music = try MusicFolder()
    for name in ["stereo.wav", "stereo.flac", "speech-mono.wav"] {
      try FileManager.default.copyItem(at: folder.appending(path: name), to: music.url.appending(path: name))
    }
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    return (deadwax, music, folder)
  }

  @Test(
    .enabled(if: Corpora.root != nil, Comment(rawValue: Corpora.absence)),
    arguments: [
      ("stereo.wav", "b8.z256.dat", []), ("stereo.flac", "b8.z256.dat", []), ("speech-mono.wav", "b8.z256.dat", []),
      ("stereo.wav", "b8.z1000.dat", ["-z", "1000"]),
      ("stereo.flac", "b8.z256.split.dat", ["--split-channels"]),
      ("stereo.wav", "b8.z1000.split.dat", ["-z", "1000", "--split-channels"]),
      ("stereo.wav", "b16.z256.dat", ["-b", "16"]), ("stereo.flac", "b16.z1000.dat", ["-b", "16", "-z", "1000"]),
      ("speech-mono.wav", "b16.z1000.dat", ["-b", "16", "-z", "1000"]),
      ("stereo.wav", "b16.z1000.split.dat", ["-b", "16", "-z", "1000", "--split-channels"]),
      ("stereo.wav", "b8.z256-to-1024.dat", ["-z", "1024"]),
      ("stereo.wav", "pps50.dat", ["--pixels-per-second", "50"]),
      ("stereo.wav", "s1.e3.w200.dat", ["-s", "1", "-e", "3", "-w", "200"]),
      ("stereo.wav", "b8.z512.json", ["-z", "512", "--format", "json"]),
      ("stereo.wav", "b8.z512.split.json", ["-z", "512", "--split-channels", "--format", "json"]),
    ])
  func `data are audiowaveform's, byte by byte`(file: String, oracle: String, options: [String]) async throws {
    let (deadwax, music, folder) = try await Self.reference.value
    let format = options.contains("--format") ? [] : ["--format", "dat"]
    let outcome = try await deadwax.run(["waveform", "\(music.path)/\(file)", "-o", "-"] + format + options)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(try outcome.standardOutput == Data(contentsOf: folder.appending(path: "\(file).\(oracle)")))
  }

  @Test(arguments: [
    [], ["--style", "bands", "--start", "0.5"], ["--style", "rms", "-z", "100"], ["--split-channels", "-e", "1"],
    ["--waveform-style", "bars", "--colors", "audition"], ["--pixels-per-second", "20", "--no-axis-labels"],
    ["--waveform-style", "bars", "--bar-width", "4", "--bar-gap", "1", "--bar-style", "rounded", "-c", "dark"],
    ["--background-color", "ffffff00", "--waveform-colors", "ff0000,0000ff80", "--axis-label-color", "123456"],
    ["--border-color", "abcdef", "--compression", "9"],
  ])
  func `a picture has the size that was asked for`(options: [String]) async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let folder = try TemporaryFolder()
    let output = folder.appending("x.png")
    let outcome = try await deadwax.run(
      ["waveform", "title:Lacquer", "-o", output.path, "-w", "300", "-h", "120"] + options)
    #expect(outcome.status == 0, "\(outcome)")
    let bytes = try Array(Data(contentsOf: output))
    #expect(Array(bytes[16..<24]) == [0, 0, 1, 44, 0, 0, 0, 120])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["x.png"])
  }

  @Test(arguments: [("svg", "<?xml"), ("pdf", "%PDF-"), ("png", "\u{FFFD}PNG")])
  func `the ending says which kind of picture`(format: String, beginning: String) async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let folder = try TemporaryFolder()
    let output = folder.appending("x.\(format)")
    var pictures: [Data] = []
    for _ in 0..<2 {
      let outcome = try await deadwax.run(["waveform", "title:Lacquer", "-o", output.path])
      #expect(outcome.status == 0, "\(outcome)")
      pictures.append(try Data(contentsOf: output))
    }
    #expect(String(decoding: pictures[0].prefix(20), as: UTF8.self).hasPrefix(beginning))
    #expect(pictures[0] == pictures[1])
  }

  @Test(
    .enabled(if: Corpora.root != nil, Comment(rawValue: Corpora.absence)),
    arguments: [
      ("stereo.wav.b8.z256.dat", ["-z", "512", "--format", "json"], "stereo.wav.b8.z512.json"),
      ("stereo.wav.b8.z256.dat", ["-z", "1024", "--format", "dat"], "stereo.wav.b8.z256-to-1024.dat"),
      ("stereo.wav.b8.z256.split.dat", ["-z", "512", "--format", "json"], "stereo.wav.b8.z512.split.json"),
      ("stereo.wav.b16.z256.dat", ["--format", "dat"], "stereo.wav.b16.z256.dat"),
      ("stereo.wav.b16.z256.dat", ["--format", "dat", "-b", "8"], "stereo.wav.b8.z256.dat"),
    ])
  func `data are converted as audiowaveform converts them`(
    input: String, options: [String], oracle: String
  ) async throws {
    let folder = try #require(Corpora.root).appending(path: "waveforms")
    let deadwax = try DeadwaxCommand.called()
    for arguments in [[folder.appending(path: input).path], ["-i", folder.appending(path: input).path]] {
      let outcome = try await deadwax.run(["waveform"] + arguments + options)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try outcome.standardOutput == Data(contentsOf: folder.appending(path: oracle)))
    }
  }

  @Test func `data become pictures, text, drawings and data again, without a library`() async throws {
    let scanned = try await ScannedFixtures.audio.value.called
    let deadwax = try DeadwaxCommand.called()
    let data = try await scanned.run(["waveform", "title:Lacquer", "--format", "dat"]).standardOutput
    let input = deadwax.home.appending("a b.dat")
    try data.write(to: input)
    for format in ["json", "csv", "txt", "png", "svg", "pdf"] {
      let outcome = try await deadwax.run(["waveform", input.path, "-o", "x.\(format)", "-w", "300"])
      #expect(outcome.status == 0, "\(outcome)")
    }
    let back = try await deadwax.run(["waveform", "x.json", "--format", "dat"])
    #expect(back.standardOutput == data)
    let piped = try await deadwax.run(
      ["waveform", "-i", "-", "--input-format", "dat", "--format", "dat"], standardInput: data)
    #expect(piped.standardOutput == data)
    let drawing = try await deadwax.run(["waveform", "x.json", "-w", "40", "-h", "2"])
    #expect(drawing.text.split(separator: "\n").count == 3)
    #expect(!FileManager.default.fileExists(atPath: deadwax.library.path))
    let onto = try await deadwax.run(["waveform", input.path, "-o", input.path])
    #expect(onto.status == 1 && onto.errorText.contains("is never written"))
    let rescaled = try await deadwax.run(["waveform", input.path, "--format", "dat", "-z", "300"])
    #expect(rescaled.status == 0 && rescaled.errorText.contains("not a multiple of its 256"), "\(rescaled)")
    let finer = try await deadwax.run(["waveform", input.path, "--format", "dat", "-z", "100"])
    #expect(finer.status == 64 && finer.errorText.contains("256"))
  }

  @Test(arguments: [("x.json", "{\"version\":2,\"data\":[1,oops]}", 23), ("x.dat", "RIFF and so on and so forth", 0)])
  func `invalid peak data are one line with the offset, and status 1`(
    name: String, content: String, offset: Int
  ) async throws {
    let deadwax = try DeadwaxCommand.called()
    try Data(content.utf8).write(to: deadwax.home.appending(name))
    let outcome = try await deadwax.run(["waveform", name, "-o", "x.png"])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("deadwax: \(name): "))
    #expect(outcome.errorText.hasSuffix(" at byte \(offset)\n"))
    #expect(outcome.errorText.split(separator: "\n").count == 1)
    #expect(!FileManager.default.fileExists(atPath: deadwax.home.appending("x.png").path))
  }

  @Test func `web players get a list of at most 8000 numbers a channel, and the duration`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    for (options, channelCount) in [([], 1), (["--split-channels"], 2)] {
      let outcome = try await deadwax.run(["waveform", "title:Lacquer", "--json-peaks"] + options)
      #expect(outcome.status == 0, "\(outcome)")
      let document = try outcome.document(PeaksDocument.self)
      #expect(abs(document.duration - 10.8) < 0.01)
      #expect(document.peaks.count == channelCount)
      #expect(document.peaks.allSatisfy { (500...8000).contains($0.count) && $0.allSatisfy((0...1).contains) })
    }
  }

  @Test func `a style that needs more than peaks is refused for a file of peaks`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let folder = try TemporaryFolder()
    let peaks = folder.appending("x.dat").path
    try #require(try await deadwax.run(["waveform", "title:Lacquer", "-o", peaks]).status == 0)
    for style in ["rms", "bands"] {
      let outcome = try await deadwax.run(["waveform", peaks, "-o", folder.appending("x.png").path, "--style", style])
      #expect(outcome.status == 64 && outcome.errorText.contains("--style \(style)"), "\(outcome)")
    }
    #expect(try await deadwax.run(["waveform", peaks, "--style", "peaks", "-w", "20"]).status == 0)
    let drawn = try await deadwax.run(["waveform", "title:Lacquer", "--style", "rms", "-w", "20"])
    #expect(drawn.status == 64 && drawn.errorText.contains("--style rms"), "\(drawn)")
  }

  @Test func `the terminal's drawing is as wide as it is told and as high as its rows and axis`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let outcome = try await deadwax.run(["waveform", "title:Lacquer", "-w", "40", "-h", "3"])
    let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 5 && lines.last == "")
    #expect(lines.allSatisfy { $0.count <= 40 })
    #expect(lines[3].hasPrefix("╵00:00"))
  }

  @Test func `the shortest part is drawn`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let outcome = try await deadwax.run(["waveform", "title:Lacquer", "-s", "1", "-e", "1.001", "-w", "20", "-h", "1"])
    #expect(outcome.status == 0 && !outcome.text.isEmpty, "\(outcome)")
  }

  @Test func `a zoom narrows the terminal's drawing to what there is`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let all = try await deadwax.run(["waveform", "title:Lacquer", "-z", "100000", "-w", "80", "-h", "1"])
    #expect(all.status == 0, "\(all)")
    #expect(all.text.split(separator: "\n")[0].count < 80)
    let near = try await deadwax.run(["waveform", "title:Lacquer", "-z", "64", "-s", "0.5", "-w", "80", "-h", "1"])
    #expect(near.status == 0, "\(near)")
    #expect(near.text.split(separator: "\n")[0].count == 80)
  }

  // Faults: 114
  @Test(arguments: [
    ["-z", "1"], ["-z", "0x10"], ["-z", "-5"], ["-z", "99999999999"], ["--pixels-per-second", "0"],
    ["--pixels-per-second", "1000000"], ["-b", "12"], ["-s", "nan"], ["-s", "-1"], ["-s", "2", "-e", "1"],
    ["-e", "1e400"], ["-w", "0"], ["-h", "٣"], ["-w", "32767", "-h", "32767"], ["--amplitude-scale", "loud"],
    ["--amplitude-scale", "-1"], ["--format", "gif"], ["-z", "512", "-e", "1"],
    ["-z", "512", "--pixels-per-second", "9"],
    ["--style", "rms", "--split-channels"], ["--bar-width", "0"], ["--bar-gap", "-1"], ["--bar-style", "oval"],
    ["--background-color", "red"], ["--waveform-color", "ff0000,"], ["--compression", "10"], ["-c", "green"],
    ["--json-peaks"], ["-j", "2"], ["-i", "1"], ["--input-format", "wav"],
  ])
  func `a mistake is status 64 and writes nothing`(options: [String]) async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let folder = try TemporaryFolder()
    let outcome = try await deadwax.run(
      ["waveform", "title:Lacquer", "-o", folder.appending("x.png").path] + options)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.standardOutput.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func `neither the track nor the library is overwritten`() async throws {
    let music = try MusicFolder("audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3")
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    let track = "\(music.path)/02 Lacquer.mp3"
    let before = try (TreeDigest(of: music.url), Data(contentsOf: deadwax.library))
    for output in [track, deadwax.library.path] {
      let outcome = try await deadwax.run(["waveform", track, "-o", output, "--format", "dat"])
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errorText.contains("is never written"))
    }
    #expect(try TreeDigest(of: music.url) == before.0)
    #expect(try Data(contentsOf: deadwax.library) == before.1)
  }
}
