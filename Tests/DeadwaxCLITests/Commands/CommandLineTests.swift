import Base
import Foundation
import MediaStore
import TestSupport
import Testing

/// The contract that scripts rely on: statuses, streams, and what is created when.
struct CommandLineTests {
  private let deadwax: DeadwaxCommand

  init() throws { deadwax = try DeadwaxCommand.called() }

  // Faults: 113
  @Test(arguments: [
    [], ["nonsense"], ["ls", "--nonsense"], ["ls", "--limit"], ["ls", "--limit", "٣"], ["ls", "--limit", "1e400"],
    ["ls", "--limit", "-1"], ["scan", "--jobs", "0"], ["show"], ["ls", "--format", "nonsense"],
  ])
  func `a mistake in the words is status 64 with the reason on standard error`(arguments: [String]) async throws {
    let outcome = try await deadwax.run(arguments)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.standardOutput.isEmpty)
    #expect(!outcome.standardError.isEmpty)
  }

  @Test(arguments: [
    (["scann"], "no command 'scann'; did you mean scan?"), (["help", "scann"], "did you mean scan?"),
    (["preset", "asign"], "did you mean assign?"), (["help", "preset", "asign"], "did you mean assign?"),
    (["roots", "ad"], "did you mean add?"), (["xyz"], "no command 'xyz'; `deadwax help`"),
    (["export", "--what", "tags", "--quiett"], "--quiet"),
    (["export", "--what", "playlist", "--raw", "-q"], "--raw needs"),
    (["ls", "-hiphop"], "unknown option '-hiphop'; put -- before a query that begins with -"),
    (["ls", "-genre:house"], "unknown option '-genre:house'; put -- before a query that begins with -"),
    (["prune", "--yes", "-path:house"], "put -- before"), (["ls", "-is:missing"], "put -- before"),
    (["preset", "off", "-the"], "put -- before"), (["ls", "-(artist:x)"], "put -- before"),
    (["list", "xyz", "x"], "no command 'list xyz'; `deadwax help list` lists the commands"),
    (["-L", "x", "ls"], "-L comes after the command: deadwax ls -L"),
  ])
  func `a mistyped command or option is named, with what may have been meant`(
    arguments: [String], hint: String
  ) async throws {
    let outcome = try await deadwax.run(arguments)
    #expect(outcome.status == 64 && outcome.standardOutput.isEmpty, "\(outcome)")
    #expect(outcome.errorText.contains(hint), "\(outcome)")
  }

  @Test(arguments: [
    ["roots", "ls"], ["list", "list"], ["attribute", "list"], ["preset", "list"], ["shards", "list"],
  ])
  func `a list is ls and list`(arguments: [String]) async throws {
    let deadwax = try await ScannedMusic.of("damaged/one-sample.wav").library().called
    let outcome = try await deadwax.run(arguments)
    let usual = try await deadwax.run([arguments[0], arguments[0] == "roots" ? "list" : "ls"])
    #expect(outcome.status == 0 && outcome.text == usual.text, "\(outcome)")
    #expect(try await deadwax.run(["help"] + arguments).status == 0)
  }

  @Test func `an unknown field leads to the help about queries`() async throws {
    let deadwax = try await ScannedMusic.of("damaged/one-sample.wav").library().called
    let outcome = try await deadwax.run(["ls", "length:..5"])
    let end = "did you mean duration? `deadwax help query` lists the fields\n"
    #expect(outcome.status == 64 && outcome.errorText.hasSuffix(end), "\(outcome)")
    #expect(try await deadwax.run(["ls", "starred:2026.."]).status == 0)
  }

  @Test func `without anything that was left off there is nothing to resume`() async throws {
    let deadwax = try await ScannedMusic.of("damaged/one-sample.wav").library().called
    let outcome = try await deadwax.run(["play", "--resume", "-o", "x.wav"])
    #expect(outcome.status == 1 && outcome.errorText == "deadwax: there is nothing to resume\n", "\(outcome)")
  }

  @Test func `whether a name is the owner's is settled by the first password`() async throws {
    let deadwax = try DeadwaxCommand.called()
    #expect(try await deadwax.run(["serve", "user", "add", "ana", "--for", "phone"]).status == 0)
    let outcome = try await deadwax.run(["serve", "user", "add", "ana", "--for", "tv", "--owner"])
    let reason = "ana is not the owner with the other passwords"
    #expect(outcome.status == 64 && outcome.errorText.contains(reason), "\(outcome)")
  }

  // Faults: 113
  @Test(arguments: [["--help"], ["help"], ["help", "scan"], ["ls", "-h"], ["waveform", "--help"], ["--version"]])
  func `help and version go to standard output`(arguments: [String]) async throws {
    let outcome = try await deadwax.run(arguments)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(!outcome.standardOutput.isEmpty)
    #expect(outcome.standardError.isEmpty)
  }

  @Test func `the version with --verbose names the schema and the libraries`() async throws {
    let short = try await deadwax.run(["--version"])
    #expect(short.text == "deadwax \(ProgramVersion.current)\n")
    for arguments in [["--version", "--verbose"], ["-v", "--version"]] {
      let outcome = try await deadwax.run(arguments)
      #expect(outcome.status == 0 && outcome.text.hasPrefix(short.text), "\(outcome)")
      #expect(outcome.text.contains("\nschema    \(LibraryHeader.currentVersion)\n"), "\(outcome)")
      #expect(outcome.text.contains("SQLite 3."), "\(outcome)")
    }
  }

  @Test(arguments: [
    ["identify", "no.mp3"], ["similar", "no.mp3"], ["lookup", "no.mp3"], ["lookup", "--all"],
    ["lookup", "--all", "--key-from", "no.key"], ["list", "import", "no.m3u8"], ["preset", "import", "no.txt"],
    ["render", "one-sample", "--preset", "no.json", "-o", "x.wav"], ["cache", "--simulate", "no.list"],
    ["import", "--beets", "no.db"], ["import", "--beets", "music", "--directory", "no"], ["restore", "no.sqlite"],
    ["restore", "--list", "no.sqlite"], ["merge", "no.sqlite"], ["shards", "add", "no.sqlite"],
    ["shards", "remove", "no.sqlite"], ["serve", "--certificate", "no.pem", "--key", "no.key"],
    ["serve", "user", "listenbrainz", "ana", "--token-from", "no.token"],
  ])
  func `what was named and is not there is wrong usage for every command, in one line`(
    arguments: [String]
  ) async throws {
    let deadwax = try await ScannedMusic.of("damaged/one-sample.wav").library().called
    let before = try deadwax.home.names()
    let outcome = try await deadwax.run(arguments)
    #expect(outcome.status == 64 && outcome.standardOutput.isEmpty, "\(outcome)")
    #expect(outcome.errorText.split(separator: "\n").count == 1, "\(outcome)")
    #expect(try deadwax.home.names().filter { !before.contains($0) } == [], "nothing is made for it")
  }

  @Test func `a certificate in a build without TLS is an error that says what adds it`() async throws {
    for name in ["chain.pem", "key.pem"] { try Data().write(to: deadwax.home.appending(name)) }
    let outcome = try await deadwax.run(["serve", "--certificate", "chain.pem", "--key", "key.pem"])
    #expect(outcome.status == 1 && outcome.standardOutput.isEmpty, "\(outcome)")
    #expect(outcome.errorText.contains("this build of deadwax has no TLS; `make build` adds it"), "\(outcome)")
  }

  @Test(arguments: [["ls"], ["status"], ["problems"], ["show", "1"], ["roots"]])
  func `a command that only reads creates no library`(arguments: [String]) async throws {
    let outcome = try await deadwax.run(arguments)
    #expect(outcome.status != 64, "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: deadwax.home.url.path).isEmpty)
  }

  @Test func `the library is where the data of a user belong`() async throws {
    let music = try MusicFolder("damaged/one-sample.wav")
    let outcome = try await deadwax.run(["scan", music.path], environment: ["DEADWAX_LIBRARY": ""])
    #expect(outcome.status == 0, "\(outcome)")
    let library = deadwax.home.appending(".local/share/deadwax/library.sqlite")
    #expect(FileManager.default.fileExists(atPath: library.path))
  }

  @Test func `the option goes before the environment`() async throws {
    let music = try MusicFolder("damaged/one-sample.wav")
    let chosen = deadwax.home.appending("chosen & odd?name#.sqlite")
    let outcome = try await deadwax.run(["scan", "--library", chosen.path, music.path])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(FileManager.default.fileExists(atPath: chosen.path))
    #expect(!FileManager.default.fileExists(atPath: deadwax.library.path))
  }

  // Faults: 103
  @Test(arguments: ["", "not a database", "SQLite format 3\0 and then garbage"])
  func `what is not a library is refused and left as it was`(content: String) async throws {
    try Data(content.utf8).write(to: deadwax.library)
    for arguments in [["ls"], ["scan", deadwax.home.url.path]] {
      let outcome = try await deadwax.run(arguments)
      #expect(outcome.status == 5, "\(outcome)")
      #expect(outcome.errorText.contains(deadwax.library.path))
    }
    #expect(try Data(contentsOf: deadwax.library) == Data(content.utf8))
  }

  // Faults: 118
  @Test func `in a pipe there is neither colour nor progress`() async throws {
    let music = try MusicFolder("audio/Lathe & Lantern")
    let scan = try await deadwax.run(["scan", music.path], environment: ["TERM": "xterm-256color"])
    #expect(!scan.standardError.contains(0x1B))
    #expect(!scan.standardError.contains(UInt8(ascii: "\r")))
    for arguments in [["ls"], ["status"], ["waveform", "title:Lacquer"], ["spectrum", "title:Lacquer"]] {
      let outcome = try await deadwax.run(arguments, environment: ["TERM": "xterm-256color"])
      #expect(outcome.status == 0, "\(outcome)")
      #expect(!outcome.standardOutput.contains(0x1B))
    }
  }

  @Test func `a dry run counts, and leaves nothing behind where there was no library`() async throws {
    let deadwax = try DeadwaxCommand.called()
    let music = try MusicFolder("audio/The Locked Grooves")
    let report = try await deadwax.run(["scan", "--dry-run", "--json", music.path]).document(ScanDocument.self)
    #expect(report.new > 0 && report.new == report.found && report.decoded_files == 0)
    #expect(!FileManager.default.fileExists(atPath: deadwax.library.path))
  }

  @Test func `problems are tried again by the scan after a retry, and by no other`() async throws {
    let deadwax = try DeadwaxCommand.called()
    let music = try MusicFolder("damaged/truncated.flac", "damaged/clean.mp3")
    _ = try await deadwax.run(["scan", music.path])
    #expect(try await deadwax.run(["problems", "--retry"]).text.hasPrefix("1 file will"))
    #expect(try await deadwax.run(["scan", "--json"]).document(ScanDocument.self).decoded_files == 1)
    #expect(try await deadwax.run(["scan", "--json"]).document(ScanDocument.self).decoded_files == 0)
  }

  @Test func `what never claimed to be audio is neither found nor listed nor a problem`() async throws {
    let deadwax = try DeadwaxCommand.called()
    let music = try MusicFolder("damaged/clean.mp3")
    try Data("just a note".utf8).write(to: music.url.appending(path: "NOTES"))
    #expect(try await deadwax.run(["scan", "--json", music.path]).document(ScanDocument.self).problems == 0)
    #expect(try await deadwax.run(["problems"]).text.isEmpty)
    #expect(try await deadwax.run(["ls", "--format", "paths"]).text == music.url.path + "/clean.mp3\n")
    let again = try await deadwax.run(["scan", "--json"]).document(ScanDocument.self)
    #expect(again.found == 1 && again.unchanged == 1)
  }

  // Faults: 73, 110
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"), "needs the sqlite3 shell"),
    arguments: [["scan", "--deep"], ["reanalyze", "--damaged"]])
  func `products whose bytes were damaged are reported, and recomputed on request`(command: [String]) async throws {
    let deadwax = try await ScannedMusic.of("damaged/clean.mp3").library().called
    let before = try await deadwax.run(["waveform", "1", "--format", "json"])
    _ = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/sqlite3"),
      [
        deadwax.library.path,
        """
        UPDATE product_blob SET bytes = zeroblob(length(bytes));
        DELETE FROM product_blob WHERE product_id = (SELECT id FROM product WHERE kind = 'loudness')
        """,
      ])
    let damaged = try await deadwax.run(["waveform", "1", "--format", "json"])
    #expect(damaged.status == 1 && damaged.errorText.contains("reanalyze --damaged"))
    let doctor = try await deadwax.run(["doctor", "--deep"])
    #expect(doctor.status == 5 && doctor.text.contains("`deadwax reanalyze --damaged` recomputes products"))
    let repair = try await deadwax.run(command + ["--json"])
    let decodedCount: Int
    if command[0] == "scan" {
      decodedCount = try repair.document(ScanDocument.self).decoded_files
    } else {
      decodedCount = try repair.document(ReanalysisDocument.self).decoded_files
    }
    #expect(decodedCount == 1)
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
    let after = try await deadwax.run(["waveform", "1", "--format", "json"])
    #expect(after.status == 0 && after.standardOutput == before.standardOutput)
  }
}
