import Foundation
import TestSupport
import Testing

/// `lookup`, from a scan to what is asked and printed; the service is a server on this computer.
@Suite(.enabled(if: Tool.exist("fpcalc"), "fpcalc (libchromaprint-tools) is not installed"))
struct LookupCommandTests {
  private struct Known: Decodable {
    struct Track: Decodable {
      struct Match: Decodable {
        var score: Double
        var acoustid: String
        var recording_id: String?
        var title: String?
        var artist: String?
      }

      var path: String
      var duration_seconds: Double
      var matches: [Match]
    }

    var schema: Int
    var tracks: [Track]
  }

  private static let key = ["DEADWAX_ACOUSTID_KEY": "secretkey"]
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    let scanned = try await Self.scanned(tuneCount: 1)
    (music, deadwax) = (scanned.music, try await scanned.library().called)
  }

  /// Made-up tunes, and a sound that is too short for a fingerprint.
  private static func scanned(tuneCount: Int) async throws -> ScannedMusic {
    try await ScannedMusic.named("\(tuneCount) tunes to look up") { try write(tuneCount, to: $0) }
  }

  private static func write(_ tuneCount: Int, to music: MusicFolder) throws {
    for number in 0..<tuneCount {
      let samples = Signal.chords(seconds: 10.5, sampleRateInHz: 11_025, channel: 7 * number)
      try music.write(
        WaveFile.bytes(samples.map { Int16($0 * 20_000) }, sampleRateInHz: 11_025, channelCount: 1),
        to: "secret name \(number).wav")
    }
    try music.write(
      WaveFile.bytes([Int16](repeating: 99, count: 22_050), sampleRateInHz: 11_025, channelCount: 1), to: "short.wav")
  }

  /// Knows the first fingerprint of each request.
  private func service() throws -> MockServer {
    try MockServer { request, _ in
      let count = request.fields.keys.count { $0.hasPrefix("fingerprint.") }
      let known =
        #"{"id":"a1","score":0.93,"recordings":[{"id":"r1","title":"Slow\u001b[31m Tide","artists":[{"name":"Nora"}]}]}"#
      let answers = (0..<count).map { #"{"index":\#($0),"results":[\#($0 == 0 ? known : "")]}"# }
      return .reply(200, #"{"status":"ok","fingerprints":[\#(answers.joined(separator: ","))]}"#)
    }
  }

  private func lookup(
    _ service: MockServer, _ arguments: [String], environment: [String: String] = key,
    in other: DeadwaxCommand? = nil
  ) async throws -> CommandOutcome {
    try await (other ?? deadwax).run(["lookup", "--service", service.address] + arguments, environment: environment)
  }

  @Test func `what fpcalc computes is asked, and the answer is printed with nothing that a terminal acts upon`()
    async throws
  {
    let (service, path) = (try service(), music.file("secret name 0.wav").path)
    let before = try Data(contentsOf: deadwax.library)
    let outcome = try await lookup(service, [path])
    #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
    #expect(outcome.text.contains("0.93") && outcome.text.contains("Nora") && outcome.text.contains("r1"))
    #expect(!outcome.text.contains("\u{1B}"))
    let request = try #require(service.requests.first)
    let printed = String(
      decoding: try #require(Tool("fpcalc")).run([path], acceptsFailure: true), as: UTF8.self)
    #expect(
      printed
        == "DURATION=\(request.fields["duration.0"] ?? "")\nFINGERPRINT=\(request.fields["fingerprint.0"] ?? "")\n")
    #expect(request.fields["client"] == "secretkey" && request.fields.count == 6)
    #expect(!request.text.contains("secret+name") && !request.text.contains("secret%20name"))
    // Neither the key nor the answer is kept.
    #expect(try Data(contentsOf: deadwax.library) == before)
  }

  @Test func `many tracks are asked in batches of ten, and JSON has each of them`() async throws {
    let deadwax = try await Self.scanned(tuneCount: 12).library().called
    let service = try service()
    let outcome = try await lookup(service, ["--all", "--json"], in: deadwax)
    #expect(outcome.status == 0 && outcome.errorText.contains("1 of 13 tracks without a fingerprint"))
    let known: Known = try outcome.document()
    #expect(known.schema == 1 && known.tracks.count == 12 && known.tracks.count { !$0.matches.isEmpty } == 2)
    let match = try #require(known.tracks.first?.matches.first)
    #expect(match.recording_id == "r1" && match.artist == "Nora" && match.title == "Slow\u{1B}[31m Tide")
    #expect(known.tracks.allSatisfy { abs($0.duration_seconds - 10.5) < 0.001 && $0.path.hasSuffix(".wav") })
    #expect(service.requests.map { $0.fields.keys.count { $0.hasPrefix("fingerprint.") } } == [10, 2])
    let lines = try await lookup(service, ["--all", "--jsonl"], in: deadwax).text.split(separator: "\n")
    #expect(lines.count == 12)
  }

  @Test func `without a key nothing is asked, and a dry run needs none and asks nothing`() async throws {
    let service = try service()
    let refused = try await lookup(service, ["--all"], environment: [:])
    #expect(refused.status == 64 && refused.errorText.contains("AcoustID needs a key") && refused.text.isEmpty)
    let shown = try await lookup(service, ["--all", "--dry-run"], environment: [:])
    let lines = shown.text.split(separator: "\n")
    #expect(shown.status == 0 && lines.first == "POST \(service.address)" && lines.contains("client=(your key)"))
    #expect(lines.contains("duration.0=10") && lines.contains { $0.hasPrefix("fingerprint.0=AQAA") })
    #expect(service.requests.isEmpty)
  }

  @Test func `a file outside the library is asked about, too, and nothing is stored`() async throws {
    let (file, known) = (deadwax.home.appending("take.wav"), music.file("secret name 0.wav"))
    try FileManager.default.copyItem(at: known, to: file)
    let service = try service()
    let before = try Data(contentsOf: deadwax.library)
    let outcome = try await lookup(service, ["take.wav"])
    #expect(outcome.status == 0 && outcome.text.contains("take.wav") && outcome.text.contains("Nora"), "\(outcome)")
    let document = try await lookup(service, ["take.wav", "--json"]).text
    #expect(document.contains("\"id\": null"), "\(document)")
    _ = try await lookup(service, [known.path])
    #expect(service.requests.count == 3)
    for field in ["duration.0", "fingerprint.0"] {
      #expect(Set(service.requests.map { $0.fields[field] }).count == 1)
    }
    #expect(try Data(contentsOf: deadwax.library) == before)
    let mixed = try await lookup(service, [known.path, "take.wav"])
    #expect(mixed.status == 64 && mixed.errorText.contains("take.wav: not in the library"), "\(mixed)")
    let alone = try await DeadwaxCommand.called().run(["lookup", "--dry-run", file.path])
    #expect(alone.status == 0 && alone.text.contains("fingerprint.0=AQAA"), "\(alone)")
  }

  @Test func `the key is in a file, or comes in by standard input`() async throws {
    let service = try service()
    let file = deadwax.home.appending("key")
    try Data("  filekey\n".utf8).write(to: file)
    #expect(try await lookup(service, ["--all", "--key-from", file.path]).status == 0)
    let piped = try await deadwax.run(
      ["lookup", "--all", "--service", service.address, "--key-from", "-"], standardInput: Data("pipedkey\n".utf8))
    #expect(piped.status == 0)
    #expect(service.requests.map { $0.fields["client"] } == ["filekey", "pipedkey"])
    for content in ["", "two words", String(repeating: "x", count: 101), "é"] {
      try Data(content.utf8).write(to: file)
      let outcome = try await lookup(service, ["--all", "--key-from", file.path])
      #expect(outcome.status == 64 && outcome.errorText.contains("key: a key is one word"), "\(content): \(outcome)")
    }
    #expect(service.requests.count == 2)
  }

  @Test func `what no recording is known of gives status 1`() async throws {
    let service = try MockServer { _, _ in
      .reply(200, #"{"status":"ok","fingerprints":[{"index":0,"results":[]}]}"#)
    }
    let outcome = try await lookup(service, ["--all"])
    #expect(outcome.status == 1 && outcome.text.contains("not known to AcoustID"))
    let document: Known = try await lookup(service, ["--all", "--json"]).document()
    #expect(document.tracks.count == 1 && document.tracks[0].matches.isEmpty)
    #expect(try await lookup(service, [music.file("short.wav").path]).status == 1)
    #expect(service.requests.count == 2)
  }

  @Test func `a failure is one line without the key, and what was known before is printed`() async throws {
    let deadwax = try await Self.scanned(tuneCount: 11).library().called
    let known = #"{"status":"ok","fingerprints":[{"index":0,"results":[{"id":"a1","score":1}]}]}"#
    let service = try MockServer { _, number in
      number % 2 == 0
        ? .reply(200, known) : .reply(400, #"{"status":"error","error":{"code":4,"message":"invalid API key"}}"#)
    }
    let outcome = try await lookup(service, ["--all", "-q"], in: deadwax)
    let lines = outcome.errorText.split(separator: "\n")
    #expect(outcome.status == 1 && lines.last == "deadwax: 127.0.0.1:\(service.port): invalid API key (error 4)")
    #expect(!outcome.errorText.contains("secretkey") && outcome.text.contains("not linked to a recording"))
    let document: Known = try await lookup(service, ["--all", "--json", "-q"], in: deadwax).document()
    #expect(document.tracks.count == 10)
  }

  @Test(arguments: [["--limit", "0", "1"], ["--dry-run", "--json", "1"], [], ["--all", "x"]])
  func `what cannot be is wrong usage`(arguments: [String]) async throws {
    let outcome = try await deadwax.run(["lookup"] + arguments, environment: Self.key)
    #expect(outcome.status == 64 && outcome.text.isEmpty)
  }
}
