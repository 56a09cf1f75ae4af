import Foundation
import Testing
import TestSupport

/// Which folders may be roots, and which files of theirs a scan looks at.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct ScanScopeTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    let sample = try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/one-sample.wav"))
    for (index, name) in ["one/a.wav", "one/b.wav", "two/c.wav", "two/deep/d.wav", "e.wav"].enumerated() {
      try music.write(sample.dropLast() + [UInt8(index)], to: name)
    }
  }

  private func scan(_ arguments: String...) async throws -> ScanDocument {
    let outcome = try await deadwax.run(["scan", "--json"] + arguments)
    #expect(outcome.status == 0, "\(outcome)")
    return try outcome.document()
  }

  // Faults: 117
  @Test(arguments: ["/", "/proc", "/proc/self", "/sys"])
  func `a folder of the kernel's is refused`(path: String) async throws {
    let outcome = try await deadwax.run(["scan", path])
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("deadwax: /"))
  }

  // Faults: 117
  @Test(arguments: ["/", "/proc", "/proc/self", "/sys"])
  func `a folder of the kernel's becomes a root by no command`(path: String) async throws {
    _ = try await scan(music.path)
    let other = deadwax.home.appending("other.sqlite")
    try FileManager.default.copyItem(at: deadwax.library, to: other)
    let names = try deadwax.home.names()
    for arguments in [
      ["roots", "add", path], ["roots", "relocate", music.path, path],
      ["merge", other.path, "--map", "\(music.path)=\(path)"],
      ["merge", other.path, "--map", "\(music.path)=\(path)", "--dry-run"],
    ] {
      let outcome = try await deadwax.run(arguments)
      #expect(outcome.status == 64 && outcome.errorText.hasPrefix("deadwax: /"), "\(arguments): \(outcome)")
    }
    #expect(try await deadwax.run(["roots"]).text == music.path + "\n")
    #expect(try deadwax.home.names() == names)
  }

  // Faults: 117
  @Test func `a folder that contains a root is refused`() async throws {
    _ = try await scan(music.path + "/one")
    let outcome = try await deadwax.run(["scan", music.path])
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.errorText.contains(music.path + "/one"))
    #expect(try await LibraryRows(deadwax).paths == ["a.wav", "b.wav"])
  }

  @Test func `a folder in a root is scanned as a part of it`() async throws {
    _ = try await scan(music.path)
    let users = try await deadwax.decide()
    try music.remove("e.wav")
    try music.remove("two/c.wav")
    let report = try await scan(music.path + "/two")
    #expect(report.found == 1)
    #expect(report.missing == 1)
    let rows = try await LibraryRows(deadwax)
    #expect(rows["e.wav"]?.state == "ok", "outside of what was scanned")
    #expect(rows["two/c.wav"]?.state == "missing")
    #expect(try await deadwax.run(["roots"]).text == music.path + "\n")
    #expect(try await scan().missing == 1)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  // Faults: 115, 117
  @Test func `a folder is scanned once, however often and however it is named`() async throws {
    let users = try await deadwax.decide()
    let link = deadwax.home.appending("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: music.url)
    let report = try await scan(music.path, music.path + "/", music.path + "/one", music.path + "/one/..", link.path)
    #expect(report.found == 5)
    #expect(report.new == 5)
    #expect(try await deadwax.run(["roots"]).text == music.path + "\n")
    try await Invariants(music.url).check(deadwax, users: users)
  }

  @Test(arguments: [["/one", "/two/deep", ""], ["", "/one"]])
  func `a folder that is named with those below it becomes the root, in whatever order`(names: [String]) async throws {
    let users = try await deadwax.decide()
    let folders = names.map { music.path + $0 }
    for options in [["--dry-run"], []] {
      let outcome = try await deadwax.run(["scan", "--json"] + options + folders)
      #expect(outcome.status == 0, "\(outcome)")
      let report = try outcome.document(ScanDocument.self)
      #expect(report.found == 5 && report.new == 5)
    }
    #expect(try await deadwax.run(["roots"]).text == music.path + "\n")
    try await Invariants(music.url).check(deadwax, users: users)
  }

  @Test func `a file that moves from one folder of a root to another is found where both are named`() async throws {
    _ = try await scan(music.path)
    let users = try await deadwax.decide()
    let before = try await LibraryRows(deadwax)
    try music.move("one/a.wav", to: "two/moved.wav")
    let outcome = try await deadwax.run(["scan", music.path + "/one", music.path + "/two"])
    #expect(outcome.status == 0, "\(outcome)")
    let after = try await LibraryRows(deadwax)
    #expect(after["two/moved.wav"]?.id == before["one/a.wav"]?.id)
    #expect(after.rows.count == 5)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  @Test func `what an ignore file names is left out`() async throws {
    try music.write("deep/\n".utf8, to: "two/.deadwaxignore")
    try music.write("/one/*\n!/one/b.wav\n".utf8, to: ".deadwaxignore")
    _ = try await scan(music.path)
    #expect(try await LibraryRows(deadwax).paths == ["one/b.wav", "two/c.wav", "e.wav"])
  }

  @Test func `what an option names is left out`() async throws {
    _ = try await scan(music.path, "--exclude", "two/", "--exclude", "[ab].wav")
    #expect(try await LibraryRows(deadwax).paths == ["e.wav"])
  }

  @Test func `what is left out now but was known is not missing`() async throws {
    _ = try await scan(music.path)
    #expect(try await scan(music.path, "--exclude", "two/").missing == 0)
    try music.write("one/\n".utf8, to: ".deadwaxignore")
    #expect(try await scan(music.path).missing == 0)
    #expect(try await LibraryRows(deadwax).rows.values.allSatisfy { $0.state == "ok" })
    // A file that is gone is missing, whether it is left out or not.
    try music.remove("one/a.wav")
    #expect(try await scan(music.path).missing == 1)
  }

  @Test func `folders of one root answer for their own files only`() async throws {
    _ = try await scan(music.path)
    let users = try await deadwax.decide()
    try music.remove("one/a.wav")
    let report = try await scan(music.path + "/one", music.path + "/two")
    #expect(report.found == 3 && report.missing == 1)
    #expect(try await LibraryRows(deadwax)["one/a.wav"]?.state == "missing")
    try await Invariants(music.url).check(deadwax, users: users)
  }

  @Test func `files behind links are not gone where links are not followed`() async throws {
    let other = try MusicFolder("damaged/clean.mp3")
    try FileManager.default.createSymbolicLink(
      at: music.file("linked.mp3"), withDestinationURL: other.file("clean.mp3"))
    #expect(try await scan(music.path, "--follow-links").found == 6)
    #expect(try await scan(music.path).missing == 0)
    #expect(try await LibraryRows(deadwax)["linked.mp3"]?.state == "ok")
    try other.remove("clean.mp3")
    #expect(try await scan(music.path).missing == 1)
  }
}
