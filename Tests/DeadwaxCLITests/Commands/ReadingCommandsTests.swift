import Base
import Foundation
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport

/// The commands that only read, with a made-up library.
struct ReadingCommandsTests {
  let deadwax: DeadwaxCommand
  var folder: TemporaryFolder { deadwax.home }

  init() throws {
    deadwax = try DeadwaxCommand.called()
    let store = try MediaStore(at: deadwax.home.file("library.sqlite"), access: .createIfMissing)
    let root = try store.roots.add(BytePath("/music"), volume: "v")
    func record(_ path: [UInt8], _ number: UInt64, _ tags: [String: [String]], _ state: FileState = .ok) -> FileChange {
      let format = MediaFormat(
        container: .flac, codec: .flac, sampleRateInHz: 44_100, channelCount: 2, bitsPerSample: 16,
        bitRateInBitsPerSecond: 800_000, declaredFrameCount: 9_261_000, decodedFrameCount: 9_261_000)
      let status = FileStatus(
        byteCount: 1_234_567, modificationTimeInNanoseconds: 1_600_000_000_000_000_000, changeTimeInNanoseconds: 0,
        inode: number, device: 1)
      var extraction = Extraction(
        state: state, format: format, stream: StreamIdentity(hash: ContentHash(high: 0, low: number), byteCount: 1),
        decoded: DecodedStream(),
        tags: Tags(tags.map { Tags.Property(name: $0.key, values: $0.value) }),
        measures: Measures(
          samplePeakInDBFS: number == 2 ? -0.001 : -0.5, rmsInDBFS: -14, leadingSilenceInSeconds: 0,
          trailingSilenceInSeconds: 6),
        products: [Product(kind: .waveform, version: 1, parameters: "bits=8 frames_per_point=256", bytes: [1, 2])])
      if state != .ok {
        extraction.problem = Problem(code: "truncated", reason: "3847 of 41519 frames", positionInSeconds: 0.087)
      }
      return .extracted(
        FileRecord(rootID: root.id, path: BytePath(path), status: status, extraction: extraction, extractorVersion: 1))
    }
    try store.scans.apply([
      record(
        Array("a/Slow Tide.flac".utf8), 1,
        [
          "TITLE": ["Slow Tide"], "ARTIST": ["Nora Vale"], "DATE": ["2021"], "GENRE": ["Jazz", "Live"],
          "LYRICS": [String(repeating: "la ", count: 2_000)],
        ]),
      record(
        Array("b/\u{1B}[31mred\u{7}.flac".utf8), 2,
        [
          "TITLE": ["\u{1B}]0;owned\u{7}\u{202E}x\n, \"q\""], "DATE": ["1999"],
          // Invisible, and of other first bytes in UTF-8.
          "ARTIST": ["\u{61C}a"], "ALBUM": ["\u{180E}b"],
        ]),
      record(Array("c/".utf8) + [0xFF, 0xFE, 0x0A], 3, [:], .damaged),
    ])
    try store.close()
  }

  func run(_ arguments: String...) async throws -> CommandOutcome { try await deadwax.run(arguments) }

  func json(_ arguments: String...) async throws -> Any {
    try JSONSerialization.jsonObject(with: try await deadwax.run(arguments).standardOutput)
  }

  @Test func `ls gives a JSON object a file with the fields asked for`() async throws {
    let rows = try #require(try await json("ls", "--format", "json") as? [[String: Any]])
    #expect(rows.count == 3)
    #expect(
      Set(rows[0].keys) == ["id", "path", "artist", "title", "album", "duration", "codec", "state"])
    #expect(rows[0]["path"] as? String == "/music/a/Slow Tide.flac")
    #expect(rows[0]["duration"] as? Double == 210 && rows[0]["id"] as? Int == 1)
    #expect(rows[0]["album"] is NSNull)
    let lines = try await run("ls", "--jsonl", "--fields", "title,genre", "jazz").text
    #expect(lines == #"{"title":"Slow Tide","genre":"Jazz; Live"}"# + "\n")
  }

  @Test func `a path that is not UTF-8 has its bytes beside it`() async throws {
    let rows = try #require(try await json("ls", "--json", "state:damaged") as? [[String: Any]])
    #expect(rows.first?["path"] as? String == "/music/c/\u{FFFD}\u{FFFD}\n")
    #expect(
      rows.first?["path_bytes"] as? String == Data(Array("/music/c/".utf8) + [0xFF, 0xFE, 0x0A]).base64EncodedString())
  }

  @Test func `paths are raw bytes, ended as asked`() async throws {
    let third = Array("/music/c/".utf8) + [0xFF, 0xFE, 0x0A]
    #expect(try await [UInt8](run("ls", "--format", "paths", "state:damaged").standardOutput) == third + [0x0A])
    #expect(try await [UInt8](run("ls", "-0", "state:damaged").standardOutput) == third + [0])
  }

  // Faults: 43
  @Test func `csv and tsv quote what would break a line`() async throws {
    #expect(
      try await run("ls", "--format", "csv", "--fields", "title,year", "year:1999").text
        == "title,year\n\"\\u{1B}]0;owned\\u{7}\\u{202E}x\n, \"\"q\"\"\",1999\n")
    #expect(
      try await run("ls", "--format", "tsv", "--fields", "title,year", "year:1999").text
        == "title\tyear\n\\u{1B}]0;owned\\u{7}\\u{202E}x\\n, \"q\"\t1999\n")
  }

  // Faults: 43
  @Test(arguments: [["ls"], ["ls", "--json"], ["show", "2"], ["show", "2", "--json"], ["problems"]])
  func `no escape sequence of a tag or name gets through`(arguments: [String]) async throws {
    let outcome = try await deadwax.run(arguments)
    #expect(outcome.status == 0 && !outcome.text.isEmpty)
    #expect(!outcome.text.unicodeScalars.contains { $0 != "\n" && TerminalText.mustBeEscaped($0) })
  }

  @Test func `a level that is rounded to zero has no sign`() async throws {
    #expect(try await run("show", "1").text.contains("peak -0.50 dBFS"))
    #expect(try await run("show", "2").text.contains("peak 0.00 dBFS"))
  }

  @Test func `a long value widens no other row of a table in a pipe`() async throws {
    let lines = try await run("ls", "--fields", "lyrics,id").text.split(separator: "\n").map(\.utf8.count)
    #expect(lines.max().map { $0 > 5_000 } == true && lines.filter { $0 < 200 }.count == lines.count - 1, "\(lines)")
  }

  @Test func `a track that could not be decoded has its preset exported`() async throws {
    let store = try MediaStore(at: folder.file("library.sqlite"), access: .readWrite)
    let status = FileStatus(
      byteCount: 99, modificationTimeInNanoseconds: 0, changeTimeInNanoseconds: 0, inode: 9, device: 1)
    let extraction = Extraction(
      state: .unsupported, format: MediaFormat(container: .mp4, codec: .aac),
      stream: StreamIdentity(hash: ContentHash(high: 0, low: 9), byteCount: 1),
      tags: Tags([.init(name: "TITLE", values: ["Far"])]))
    try store.scans.apply([
      .extracted(
        FileRecord(
          rootID: try #require(try store.roots.all().first).id, path: BytePath("far.m4a"), status: status,
          extraction: extraction, extractorVersion: 1))
    ])
    try store.close()
    #expect(try await run("preset", "assign", "Bass", "title:Far").status == 0)
    let outcome = try await run("export", "--what", "presets", "title:Far", "--format", "apo", "-o", "out/")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appending("out").path).count == 1, "\(outcome)")
    let waveforms = try await run("export", "--what", "waveforms", "title:Far", "-o", "waves/")
    #expect(waveforms.errorText.contains("1 file without decoded audio"), "\(waveforms)")
  }

  @Test func `queries, sort and limit come together`() async throws {
    #expect(try await run("ls", "--fields", "year", "--format", "tsv", "year-").text == "year\n2021\n1999\n\n")
    #expect(
      try await run("ls", "--fields", "year", "--format", "tsv", "--sort", "year", "--limit", "1").text
        == "year\n1999\n")
    #expect(try await run("ls", "--format", "csv", "--fields", "id", "--", "-state:ok").text == "id\n3\n")
  }

  @Test func `show has every key of the contract`() async throws {
    let document = try #require(try await json("show", "1", "--json") as? [String: Any])
    #expect(document["schema"] as? Int == 1 && document["id"] as? Int == 1 && document["preset"] is NSNull)
    #expect(document["hash"] as? String == "00000000000000000000000000000001")
    let file = try #require((document["files"] as? [[String: Any]])?.first)
    #expect(Set(file.keys).isSuperset(of: ["path", "size_bytes", "state", "problem"]))
    let format = try #require(document["format"] as? [String: Any])
    #expect(
      Set(format.keys) == [
        "container", "codec", "sample_rate_hz", "channels", "bits", "bitrate_bps", "declared_frames",
        "decoded_frames", "delay_frames", "padding_frames", "duration_seconds",
      ])
    #expect((document["tags"] as? [String: [String]])?["GENRE"] == ["Jazz", "Live"])
    let measures = try #require(document["measures"] as? [String: Any])
    #expect(
      Set(measures.keys).isSuperset(of: [
        "loudness_lufs", "loudness_range_lu", "momentary_max_lufs", "short_term_max_lufs", "true_peak_dbtp",
        "sample_peak_dbfs", "rms_dbfs", "crest_db", "dc_offset", "clipped_samples", "silence_start_seconds",
        "silence_end_seconds", "centroid_hz", "rolloff_hz", "flatness", "cutoff_hz", "replaygain_db",
      ]))
    let product = try #require((document["products"] as? [[String: Any]])?.last)
    #expect(Set(product.keys) == ["kind", "version", "parameters", "bytes"])
  }

  @Test(arguments: ["1", "slow tide", "/music/a/Slow Tide.flac", "artist:vale"])
  func `a track is an id, a path or a query`(word: String) async throws {
    #expect(try await run("show", "--json", word).document(TrackDocument.self).id == 1)
  }

  @Test(arguments: [
    (["show", "99"], "no track 99"), (["show", "/music/none.flac"], "not in the library"),
    (["show", "flac"], "tracks match"),
    (["show", "nothing at all"], "no track matches"), (["ls", "titel:x"], "did you mean title"),
    (["ls", "--fields", "yaer"], "year"),
    (["ls", "--sort", "yaer"], "year"), (["ls", "--limit", "-1"], "limit"),
    (["ls", "--json", "--format", "csv"], "format"),
    (["ls", "(a"], "column 1"), (["bogus"], "bogus"), ([], "deadwax"),
    (["roots", "remove", "nowhere"], "no such root"),
  ])
  func `wrong usage exits 64 and says why in one place`(arguments: [String], part: String) async throws {
    let outcome = try await deadwax.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errorText.contains(part) && outcome.errorText.hasPrefix("deadwax: "), "\(outcome.errorText)")
    #expect(outcome.text.isEmpty)
  }

  @Test func `problems tells state, reason and position`() async throws {
    let problems = try await run("problems", "--json").document([ProblemRow].self)
    #expect(problems.count == 1)
    #expect(problems.first?.state == "damaged" && problems.first?.attempts == 1)
    #expect(problems.first?.reason == "3847 of 41519 frames")
    #expect(problems.first?.position_seconds == 0.087)
  }

  @Test func `status counts`() async throws {
    let status = try await run("status", "--json").document(StatusDocument.self)
    #expect(status.schema == 1 && status.files["ok"] == 2)
    #expect(status.audio_seconds == 630)
    #expect(try await run("status").text.contains("/music: 3 files"))
  }

  @Test func `roots are added, relocated and removed`() async throws {
    #expect(try await run("roots", "add", folder.path.displayString + "/.").status == 0)
    #expect(try await run("roots").text.contains(folder.path.displayString))
    #expect(try await run("roots", "add", folder.path.displayString + "/nothing").status != 0)
    #expect(try await run("roots", "relocate", "/music", "/").status == 64)
    let removed = try await run("roots", "remove", folder.path.displayString)
    #expect(removed.text.hasPrefix("removed \(folder.path.displayString) with 0 files"), "\(removed)")
    // The old place is gone, and may be named from here anyway.
    let place = String(repeating: "../", count: 64) + "music"
    let relocated = try await run("roots", "relocate", place, folder.path.displayString)
    #expect(relocated.status == 0, "\(relocated)")
    #expect(try await run("ls", "--format", "paths", "slow").text == folder.path.displayString + "/a/Slow Tide.flac\n")
  }

  @Test func `doctor finds a sound library sound and a broken one broken`() async throws {
    let healthy = try await run("doctor", "--deep")
    #expect(healthy.status == 0 && healthy.text.contains(": intact"))
    var bytes = try folder.bytes(of: "library.sqlite")
    for page in stride(from: 8192 * 3, to: bytes.count, by: 8192) {
      for offset in 0..<64 { bytes[page + offset] ^= 0x5A }
    }
    try folder.write(bytes, to: "library.sqlite")
    let broken = try await run("doctor")
    #expect(broken.status == 5)
    #expect(try folder.bytes(of: "library.sqlite") == bytes)
  }

  @Test func `a library that is not there is status 5, and is not made`() async throws {
    let outcome = try await deadwax.run(["ls", "--library", folder.appending("none.sqlite").path])
    #expect(outcome.status == 5 && outcome.errorText.contains("none.sqlite"))
    #expect(try folder.names() == ["library.sqlite"])
  }
}
