import Foundation
import Testing
import TestSupport

/// Outputs, inputs and files that are not what their names promise.
struct OddTargetsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("damaged/clean.mp3")
    try await deadwax.must(["scan", music.path])
  }

  // Faults: 157
  @Test func `the library and what SQLite keeps beside it are no output under any of their names`() async throws {
    let before = try Data(contentsOf: deadwax.library)
    for (preparation, name) in [
      ("true", "library.sqlite"), ("ln -s library.sqlite other", "other"), ("ln library.sqlite hard", "hard"),
      ("exec 7<> library.sqlite", "/proc/self/fd/7"), ("exec 7<> library.sqlite", "/dev/fd/7"),
      ("sleep 20 7<> library.sqlite & sleep 0.3; trap \"kill $!\" EXIT", "/proc/$!/fd/7"),
      ("true", "library.sqlite-wal"), ("true", "./library.sqlite-journal"),
      ("ln -s library.sqlite-shm memory", "memory"),
    ] {
      let outcome = try await deadwax.shell(
        "\(preparation); deadwax waveform filename:clean --format json -o \(name); status=$?; rm -f hard; exit $status")
      #expect(outcome.status == 1 && outcome.errorText.contains("is never written"), "\(name): \(outcome)")
      #expect(try Data(contentsOf: deadwax.library) == before, "\(name)")
    }
    #expect(try deadwax.home.names() == ["library.sqlite", "memory", "other"])
  }

  // Faults: 174
  @Test(.timeLimit(.minutes(2)))
  func `an endless source is refused by its size, and an absent one blocks nothing`() async throws {
    for command in ["list import --name x", "preset import", "import --beets", "merge", "restore"] {
      for source in ["endless.m3u8", "sparse.m3u8", "pipe.m3u8"] {
        // A named pipe without a writer: a library must not wait for one, what reads text may.
        if source == "pipe.m3u8", !["merge", "restore"].contains(command) { continue }
        let outcome = try await deadwax.shell(
          """
          ln -sf /dev/zero endless.m3u8; truncate -s 4T sparse.m3u8; [ -p pipe.m3u8 ] || mkfifo pipe.m3u8
          ulimit -v 4000000; exec deadwax \(command) \(source)
          """)
        #expect([1, 5, 64].contains(outcome.status) && !outcome.errorText.isEmpty, "\(command) \(source): \(outcome)")
        #expect(outcome.errorText.split(separator: "\n").count == 1, "\(command) \(source): \(outcome)")
      }
    }
    #expect(try await deadwax.must(["ls"]).text.contains("clean.mp3"))
  }

  // Faults: 176
  @Test func `names of nothing but marks and changes of direction are listed, shown and drawn`() async throws {
    let names = [
      String(repeating: "\u{301}", count: 125) + ".mp3", String(repeating: "\u{202E}\u{2066}", count: 41) + ".mp3",
    ]
    for name in names { try music.add(fixture: "damaged/clean.mp3", as: name) }
    let scan = try await deadwax.must(["scan", "--json"]).document(ScanDocument.self)
    #expect(scan.new == 2 && scan.problems == 0)
    for name in names {
      let path = music.file(name).path
      let shown = try await deadwax.must(["show", path])
      #expect(!shown.text.contains("\u{202E}") && !shown.text.contains("\u{2066}"))
      try await deadwax.must(["waveform", path, "-o", "drawn.png"])
      try await deadwax.must(["waveform", path, "-o", "drawn.svg"])
    }
    #expect(try await deadwax.must(["scan", "--json"]).document(ScanDocument.self).unchanged == 3)
  }

  // Faults: 173
  @Test(.enabled(if: Tool.exist("sqlite3"), "sqlite3 is not installed"), .timeLimit(.minutes(2)))
  func `a library whose texts have no end is read within its size`() async throws {
    try Tool.run(
      "sqlite3", deadwax.library.path,
      """
      UPDATE file SET title = printf('%.*c', 4000000, 'x'), artist = CAST(x'FF00FE1B5B' AS TEXT),
        notes = '[' || printf('%.*c', 1000000, '[')
      """)
    for arguments in [
      ["ls"], ["show", "filename:clean"], ["show", "filename:clean", "--json"], ["export", "--what", "tracks"],
      ["waveform", "filename:clean", "-o", "drawn.png"], ["waveform", "filename:clean", "-o", "drawn.pdf"],
    ] {
      let outcome = try await deadwax.run(arguments)
      #expect([0, 1, 5].contains(outcome.status), "\(arguments): status \(outcome.status)")
      #expect(!outcome.standardOutput.contains(0x1B), "\(arguments)")
    }
    let check = try await deadwax.run(["doctor", "--deep"])
    #expect(check.status == 5 || check.text.contains("DAMAGED"), "\(check)")
  }

  // Faults: 173
  @Test(.enabled(if: Tool.exist("sqlite3"), "sqlite3 is not installed"), .timeLimit(.minutes(2)))
  func `a text larger than anything that is written is damage, which a repair leaves out`() async throws {
    try music.add(fixture: "audio/Public Address/Announcements/01 Test Pressing.mp3", as: "other.mp3")
    try await deadwax.must(["scan", music.path])
    try Tool.run(
      "sqlite3", deadwax.library.path,
      "UPDATE file SET title = printf('%.*c', 140000000, 'x') WHERE path_text LIKE '%clean.mp3'")
    for arguments in [["ls"], ["show", "filename:clean"], ["export", "--what", "tracks"]] {
      let outcome = try await deadwax.run(arguments)
      #expect(outcome.status == 5 && outcome.errorText.contains("128 MiB"), "\(arguments): \(outcome)")
    }
    let check = try await deadwax.run(["doctor"])
    #expect(check.status == 5 && check.text.contains("128 MiB"), "\(check)")

    let repaired = deadwax.home.appending("repaired.sqlite")
    _ = try await deadwax.run(["doctor", "--repair", "-o", repaired.path])
    try await deadwax.with(repaired).must(["scan", music.path])
    let list = try await deadwax.with(repaired).must(["ls"])
    #expect(list.text.contains("clean.mp3") && list.text.contains("other.mp3"))
  }
}
