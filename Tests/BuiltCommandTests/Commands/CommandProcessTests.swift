import Foundation
import Testing
import TestSupport

/// What only a process has: a locale, arguments that are no text, and streams that are full, closed or read by nobody.
struct CommandProcessTests {
  private let deadwax: DeadwaxCommand

  init() async throws { deadwax = try await ScannedFixtures.audio.value.deadwax.copy() }

  // Faults: 88
  @Test func `a full standard output is a failure with its reason`() async throws {
    let outcome = try await deadwax.run(["ls"], standardOutput: URL(filePath: "/dev/full"))
    #expect(outcome.status == 1)
    #expect(outcome.errorText.contains("No space left on device"))
  }

  // Faults: 80
  @Test func `a reader that goes away is no crash`() async throws {
    let outcome = try await deadwax.run(
      executable: URL(filePath: "/bin/bash"),
      ["-c", "\"$0\" ls --format jsonl | true; echo ${PIPESTATUS[0]}", DeadwaxCommand.executable.path])
    #expect(["0\n", "141\n"].contains(outcome.text), "\(outcome)")
  }

  // Faults: 87
  @Test(arguments: ["C", "tr_TR.UTF-8", "de_DE.UTF-8"])
  func `numbers do not follow the locale`(locale: String) async throws {
    let deadwax = try await ScannedMusic.of("damaged/clean.mp3").library()
    let tracks = try await deadwax.run(
      ["ls", "--format", "jsonl", "--fields", TrackRow.fields], environment: ["LANG": locale, "LC_ALL": locale]
    ).lines(TrackRow.self)
    #expect(tracks.map(\.duration) == [2])
  }

  @Test func `a full disk behind standard output is told`() async throws {
    let outcome = try await deadwax.shell("deadwax ls > /dev/full")
    #expect(outcome.status == 1 && outcome.errorText.contains("No space left on device"))
    #expect(try await deadwax.shell("deadwax --help > /dev/full").status == 1)
  }

  // Faults: 88
  @Test func `a closed standard output takes nothing from the library`() async throws {
    let before = try Data(contentsOf: deadwax.library)
    let outcome = try await deadwax.shell("deadwax ls >&-")
    #expect(outcome.status == 1 && outcome.errorText.contains("write error"))
    #expect(try Data(contentsOf: deadwax.library) == before)
  }

  @Test func `a reader that goes away, or a full disk, takes nothing from a status that is an error`() async throws {
    #expect(try await deadwax.shell("deadwax doctor -L none.sqlite > /dev/full").status == 5)
    let gone = try await deadwax.shell("{ deadwax doctor -L none.sqlite; echo $? >&2; } | true")
    #expect(gone.errorText.hasSuffix("5\n"), "\(gone)")
  }

  // Faults: 80
  @Test func `a reader that goes away is no error`() async throws {
    let outcome = try await deadwax.shell("{ deadwax ls --jsonl; echo $? >&2; } | head -c 1 >/dev/null")
    #expect(outcome.errorText == "0\n")
  }

  // Faults: 64, 115
  @Test func `an argument that is not UTF-8 finds its file`() async throws {
    let name = #"$(printf 'c\377\376\nx')"#
    let outcome = try await deadwax.shell(
      #"""
      path=\#(name); path=$PWD/${path%x}; cp '\#(Corpora.fixtures.path)/damaged/one-sample.wav' "$path"
      deadwax scan -q "$PWD"; deadwax show --json "${path}x"; echo $? >&2; deadwax show --json "$path"
      """#)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errorText.contains("not in the library") && outcome.errorText.hasSuffix("\n64\n"), "\(outcome)")
    let bytes = Data(Array("\(deadwax.home.url.path)/c".utf8) + [0xFF, 0xFE, 0x0A]).base64EncodedString()
    #expect(outcome.text.contains("\"\(bytes)\""), "\(outcome)")
  }

  @Test func `a full disk is one line and status 1`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.deadwax
    for arguments in [["-o", "-", "--format", "dat"], ["-o", "/dev/full", "--format", "dat"], []] {
      let outcome = try await deadwax.run(
        ["waveform", "title:Lacquer"] + arguments, standardOutput: URL(filePath: "/dev/full"))
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errorText.hasSuffix("No space left on device\n"))
      #expect(outcome.errorText.split(separator: "\n").count == 1)
    }
  }
}
