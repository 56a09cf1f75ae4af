import Foundation
import Glibc
import Testing
import TestSupport

/// What commands do with a library that is damaged, read-only, locked, on a full disk or under an odd name.
struct LibraryFaultsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("damaged/one-sample.wav", "damaged/clean.mp3")
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
    for arguments in [
      ["preset", "copy", "bass", "Mine"], ["preset", "assign", "mine", "ext:wav , ext:mp3"],
      ["list", "save", "all", "ext:mp3"],
    ] {
      let outcome = try await deadwax.run(arguments)
      try #require(outcome.status == 0, "\(outcome)")
    }
  }

  private static let reading = [["ls"], ["status"], ["show", "1"], ["problems"], ["preset", "ls"], ["list"]]
  private static let writing = [["preset", "copy", "air", "Other"], ["list", "save", "x", "ext:wav"]]

  private var file: URL { deadwax.library }

  // MARK: - Damage

  @Test(.enabled(if: Tool.exist("sqlite3"), "sqlite3 is not installed"))
  func `names of tags that cannot be read are damage, no mistake in the words`() async throws {
    #expect(try await deadwax.run(["ls", "smell:>3"]).status == 64)
    let answer = try Tool.run("sqlite3", file.path, "SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'tag_name'")
    let pages = String(decoding: answer, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    try #require(!pages.isEmpty)
    var bytes = try Data(contentsOf: file)
    for page in pages {
      bytes.replaceSubrange((page - 1) * 8192..<page * 8192, with: Data(repeating: 0xFF, count: 8192))
    }
    try bytes.write(to: file)
    let outcome = try await deadwax.run(["ls", "smell:>3"])
    #expect(outcome.status == 5 && outcome.errorText.contains("doctor --repair"), "\(outcome)")
  }

  // Faults: 104
  @Test func `a damaged library is told or answered from, saved by doctor and put back by restore`() async throws {
    let bytes = try Data(contentsOf: file)
    var damaged = bytes
    // Page 4 is the root of `file`, with all of its rows.
    damaged.replaceSubrange(3 * 8192..<4 * 8192, with: Data(count: 8192))
    try damaged.write(to: file)
    for arguments in Self.reading + [["scan", music.path]] {
      let outcome = try await deadwax.run(arguments)
      #expect([0, 1, 5].contains(outcome.status), "\(arguments): \(outcome)")
      if outcome.status == 5 { #expect(outcome.errorText.contains("doctor --repair")) }
    }
    #expect(try await deadwax.run(["doctor"]).status == 5)

    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    try damaged.write(to: file)
    let saved = deadwax.home.appending("saved.sqlite")
    let repair = try await deadwax.run(["doctor", "--repair", "-o", saved.path])
    #expect(repair.status == 0 && repair.text.contains("; intact"), "\(repair)")
    #expect(try Data(contentsOf: file) == damaged)
    #expect(try await deadwax.run(["doctor", "--repair", "-o", saved.path]).status == 1, "nothing is replaced")
    #expect(try await deadwax.with(saved).run(["doctor", "--deep"]).status == 0)

    #expect(try await deadwax.run(["restore", saved.path]).status == 0)
    try FileManager.default.removeItem(at: saved)
    #expect(try await deadwax.run(["scan", music.path]).status == 0)
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
    let presets = try await deadwax.run(["ls", "--format", "tsv", "--fields", "preset"])
    #expect(presets.text.split(separator: "\n").filter { $0 == "Mine" }.count == 2, "\(presets)")
    #expect(try await deadwax.run(["list"]).text.contains("all"))
  }

  // Faults: 104
  @Test func `whatever byte is changed, each command answers or says that the library is damaged`() async throws {
    let bytes = try Data(contentsOf: file)
    var random = RepeatableRandom(seed: 21)
    for page in stride(from: 0, to: bytes.count / 8192, by: TestSize.isSlow ? 3 : 6) {
      var damaged = bytes
      damaged[page * 8192 + Int.random(in: 0..<8192, using: &random)] ^= UInt8(
        1 << Int.random(in: 0..<8, using: &random))
      damaged[page * 8192 + (page == 0 ? 100 : 0) + Int.random(in: 0..<12, using: &random)] ^= 0x11
      try damaged.write(to: file)
      for arguments in [["ls", "--json"], ["show", "2"], ["doctor", "--deep"]] {
        let outcome = try await deadwax.run(arguments)
        #expect([0, 1, 5].contains(outcome.status), "page \(page + 1): \(arguments): \(outcome)")
      }
      #expect(try Data(contentsOf: file) == damaged)
    }
  }

  // Faults: 102
  @Test func `a newer library is status 5, and stays as it is`() async throws {
    // Its version lies in the header.
    var bytes = try Data(contentsOf: file)
    bytes[63] = 77
    try bytes.write(to: file)
    for arguments in Self.reading + Self.writing + [["scan", music.path], ["doctor"]] {
      let outcome = try await deadwax.run(arguments)
      #expect(outcome.status == 5 && outcome.errorText.contains("made by a newer version (77 > "), "\(outcome)")
    }
    #expect(try Data(contentsOf: file) == bytes)
    #expect(try deadwax.home.names() == ["library.sqlite"])
  }

  @Test func `a library that ends early is damaged, and its rest is saved`() async throws {
    let bytes = try Data(contentsOf: file)
    try bytes.prefix(bytes.count - 5 * 8192 - 100).write(to: file)
    let outcome = try await deadwax.run(["doctor"])
    #expect(outcome.status == 5, "\(outcome)")
    let saved = deadwax.home.appending("saved.sqlite")
    let repair = try await deadwax.run(["doctor", "--repair", "-o", saved.path, "--json"])
    #expect(repair.status == 0, "\(repair)")
    #expect(try await deadwax.with(saved).run(["preset", "of", "1"]).text.contains("Mine"))
  }

  // MARK: - Names

  // Faults: 108
  @Test(arguments: [
    "a b.sqlite", "what?.sqlite", "100%.sqlite", "#1.sqlite", "%41.sqlite", "file:x?mode=ro", "'\"\\.sqlite",
  ])
  func `an odd name is just a name`(name: String) async throws {
    let odd = try deadwax.home.makeFolder("odd").appending(path: name)
    let named = deadwax.with(odd)
    #expect(try await named.run(["scan", music.path]).status == 0)
    for arguments in Self.reading + Self.writing {
      let outcome = try await named.run(arguments)
      #expect(outcome.status == 0, "\(outcome)")
    }
    #expect(try await named.run(["doctor", "--deep"]).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: odd.deletingLastPathComponent().path)
    #expect(names == [name])
  }

  // Faults: 108
  @Test func `a name that is not UTF-8 is just a name`() async throws {
    let script = """
      name=$(printf 'x\\377y.sqlite') && "$0" scan -q -L "$name" "$1" && "$0" ls -L "$name" --format paths \\
        && "$0" preset copy air Other -L "$name" && "$0" doctor -L "$name" >/dev/null && ls | LC_ALL=C grep -c sqlite
      """
    let outcome = try await deadwax.run(
      executable: URL(filePath: "/bin/sh"), ["-c", script, DeadwaxCommand.executable.path, music.path])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.text.hasSuffix("\n2\n"), "this one and that of the test, and nothing beside them: \(outcome)")
  }

  // Faults: 108
  @Test func `a link leads to the library, and a folder is none`() async throws {
    let link = deadwax.home.appending("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    #expect(try await deadwax.with(link).run(["preset", "copy", "air", "Other"]).status == 0)
    #expect(try await deadwax.run(["preset", "show", "other"]).status == 0)
    #expect(try deadwax.home.names() == ["library.sqlite", "link"])
    let folder = try deadwax.home.makeFolder("folder")
    for arguments in [["ls"], ["scan", music.path]] {
      let outcome = try await deadwax.with(folder).run(arguments)
      #expect(outcome.status == 5, "\(outcome)")
    }
  }

  // MARK: - No writing

  private static let otherUser = "/usr/bin/setpriv"
  private static let isRoot = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: otherUser)

  /// Runs the command as a user who may not write the library.
  private func runAsNobody(_ arguments: [String]) async throws -> CommandOutcome {
    try await deadwax.run(
      executable: URL(filePath: Self.otherUser),
      ["--reuid", "65534", "--regid", "65534", "--clear-groups", DeadwaxCommand.executable.path] + arguments)
  }

  // Faults: 105
  @Test(.enabled(if: isRoot, "needs root, to be another user"), arguments: [0o444, 0o666])
  func `in a folder or file that cannot be written, reading works and writing is status 5`(mode: Int) async throws {
    let before = try Data(contentsOf: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: deadwax.home.url.path)
    // The command itself may be where only its owner may go.
    try #require(try await runAsNobody(["--version"]).status == 0)
    for arguments in Self.reading {
      let outcome = try await runAsNobody(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome)")
    }
    for arguments in Self.writing + [["scan", music.path]] {
      let outcome = try await runAsNobody(arguments)
      #expect(outcome.status == 5 && outcome.errorText.contains("read-only"), "\(arguments): \(outcome)")
    }
    #expect(try Data(contentsOf: file) == before)
    #expect(try deadwax.home.names() == ["library.sqlite"])
  }

  // Faults: 106
  @Test(.enabled(if: Tool.exist("sqlite3"), "the sqlite3 shell is not installed"))
  func `a library that another process writes to for too long is status 5 with its number`() async throws {
    let other = try deadwax.start(
      executable: URL(filePath: "/bin/sh"),
      ["-c", "(echo 'PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE; SELECT 1;'; sleep 200) | sqlite3 \"$0\"", file.path])
    defer { other.send(SIGTERM) }
    // It answers once it has its lock.
    while other.isRunning, try other.output().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    let start = ContinuousClock.now
    let outcome = try await deadwax.run(["preset", "copy", "air", "Other"])
    #expect(outcome.status == 5 && outcome.errorText.contains("locked by pid "), "\(outcome)")
    #expect(ContinuousClock.now - start < .seconds(150))
    #expect(try await deadwax.run(["ls"]).status == 0, "reading goes on")
  }

  // MARK: - Full disk

  private static let canMount: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
    guard (try? Tool.run("mount", "-t", "tmpfs", "-o", "size=64k", "none", folder.url.path)) != nil else {
      return false
    }
    return (try? Tool.run("umount", folder.url.path)) != nil
  }()

  // Faults: 109
  @Test(.enabled(if: canMount, "needs root, for a disk that is full"))
  func `on a full disk the library is read, and writing is status 5`() async throws {
    let disk = try deadwax.home.makeFolder("disk")
    try Tool.run("mount", "-t", "tmpfs", "-o", "size=2m", "none", disk.path)
    defer { _ = try? Tool.run("umount", "-l", disk.path) }
    let full = deadwax.with(disk.appending(path: "library.sqlite"))
    try FileManager.default.copyItem(at: file, to: full.library)
    let before = try Data(contentsOf: full.library)
    try? Data(count: 4 << 20).write(to: disk.appending(path: "rest"))
    _ = try? Tool.run("sh", "-c", "cat /dev/zero > \"$0\"", disk.appending(path: "rest").path)
    for arguments in Self.reading {
      let outcome = try await full.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome)")
    }
    for arguments in Self.writing + [["scan", music.path]] {
      let outcome = try await full.run(arguments)
      #expect(outcome.status == 5 && outcome.errorText.contains("the disk is full"), "\(arguments): \(outcome)")
    }
    let repair = try await deadwax.run(["doctor", "--repair", "-o", disk.appending(path: "new.sqlite").path])
    #expect(repair.status == 5 && repair.errorText.contains("the disk is full"), "\(repair)")
    #expect(try Data(contentsOf: full.library) == before)
    try FileManager.default.removeItem(at: disk.appending(path: "rest"))
    #expect(try await full.run(["preset", "copy", "air", "Other"]).status == 0, "with space again")
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["library.sqlite"])
  }

  // MARK: - Doctor

  @Test func `doctor decodes a sound of each kind and names the libraries`() async throws {
    let report = try await deadwax.run(["doctor", "--json"]).document(DoctorDocument.self)
    #expect(report.sound)
    #expect(Set(report.decoders.map(\.name)) == ["FLAC", "MP3", "AAC", "ALAC", "Opus", "PCM", "ADPCM", "Vorbis"])
    #expect(report.decoders.allSatisfy { $0.problem == nil })
    #expect(report.libraries.count == 24)
    #expect(report.libraries.values.allSatisfy { $0?.contains(where: \.isNumber) != false })
    #expect(report.library_problems.count == report.libraries.values.count { $0 == nil })
  }

  @Test func `repair needs a name, and a name needs repair`() async throws {
    for arguments in [["--repair"], ["-o", "x.sqlite"], ["--repair", "-o", ""]] {
      #expect(try await deadwax.run(["doctor"] + arguments).status == 64)
    }
  }

  // MARK: - Limits

  // Faults: 71
  @Test func `without descriptors a command says so`() async throws {
    for arguments in ["export --what tracks -o t.csv", "merge other.sqlite", "ls", "doctor"] {
      var statuses: Set<Int32> = []
      for count in Array(5...24) + Array(34...44) + [64] {
        let outcome = try await deadwax.shell(
          "cp library.sqlite other.sqlite; ulimit -n \(count); exec deadwax \(arguments)")
        // The dynamic linker also needs descriptors.
        let isLinked = outcome.status != 127 || !outcome.errorText.contains("shared libraries")
        // Three are the standard streams.
        if isLinked, count < 3 + 32 {
          #expect(
            outcome.status == 1 && outcome.errorText == "deadwax: fewer than 32 files can be opened (ulimit -n)\n",
            "\(arguments), \(count): \(outcome)")
        }
        #expect(!isLinked || [0, 1].contains(outcome.status), "\(arguments), \(count): \(outcome)")
        #expect(outcome.status == 0 || outcome.text + outcome.errorText != "", "\(arguments), \(count): \(outcome)")
        statuses.insert(outcome.status)
      }
      #expect(statuses.contains(0) && statuses.count > 1, "\(arguments): \(statuses)")
    }
  }
}
