import Base
import Foundation
import Testing
import TestSupport

@testable import SoundSearch

// Faults: 229
struct RemovalScriptTests {
  /// Those of the system, and others that people have.
  static let shells = [["sh"], ["dash"], ["bash", "--posix"], ["busybox", "sh"]].filter { Tool($0[0]) != nil }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func stamp(_ url: URL) throws -> FileStatus.Stamp {
    var status = stat()
    try #require(lstat(url.path, &status) == 0)
    return FileStatus(status).stamp
  }

  private func kept(_ url: URL) throws -> KeptFile? { try KeptFile(BytePath(url.path), stamp: stamp(url)) }

  /// A script that would remove one file for another one.
  private func script(keeping kept: URL, removing copy: URL, reason: String = "as good") throws -> URL {
    var script = RemovalScript()
    let keptFile = try #require(try self.kept(kept))
    script.add(keeping: keptFile, removing: BytePath(copy.path), stamp: try stamp(copy), reason: reason)
    let url = folder.appending("remove.sh")
    try Data(script.bytes).write(to: url)
    return url
  }

  private func run(_ script: URL, with shell: [String] = ["sh"]) throws {
    _ = try #require(Tool(shell[0])).run(shell.dropFirst() + [script.path], acceptsFailure: true)
  }

  private static let names = [
    "plain.mp3", "it's.mp3", "a b\n$(touch evil) `x` \"q\" \\.mp3", "-rf", "'", "\u{1B}[31mred", "*", "[a].mp3",
    ".hidden", "end\n", String(repeating: "x", count: 255), String(repeating: "ä", count: 127),
  ]

  @Test(arguments: names, shells)
  func `running it removes exactly the named files, whatever their names`(name: String, shell: [String]) throws {
    let keep = folder.url.appending(path: "keep [*]\n")
    try FileManager.default.createDirectory(at: keep, withIntermediateDirectories: false)
    let (kept, copy) = (keep.appending(path: name), folder.url.appending(path: name))
    for file in [kept, copy] { try Data([1]).write(to: file) }
    try run(script(keeping: kept, removing: copy, reason: "as good\nrm -rf /"), with: shell)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(left == ["keep [*]\n", "remove.sh"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: keep.path) == [name])
  }

  @Test func `several files go for one that is kept, also if it is the only one with its content`() throws {
    let kept = folder.appending("kept.mp3")
    try Data([7, 7]).write(to: kept)
    var script = RemovalScript()
    let keptFile = try #require(try self.kept(kept))
    for number in 0..<3 {
      let copy = folder.appending("copy \(number).mp3")
      try Data([UInt8(number)]).write(to: copy)
      script.add(keeping: keptFile, removing: BytePath(copy.path), stamp: try stamp(copy), reason: "")
    }
    let url = folder.appending("remove.sh")
    try Data(script.bytes).write(to: url)
    try run(url)
    #expect(script.fileCount == 3 && script.byteCount == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["kept.mp3", "remove.sh"])
  }

  enum Change: String, CaseIterable, CustomTestStringConvertible {
    case gone, emptied, sameLength, symbolicLink, hardLink, folder
    case copyChanged, copyTouched

    var testDescription: String { rawValue }
  }

  /// A link is another name of the file that would be removed.
  @Test(arguments: Change.allCases, shells)
  func `nothing is removed if either file is not what it was`(change: Change, shell: [String]) throws {
    let (kept, copy) = (folder.appending("kept.mp3"), folder.appending("copy.mp3"))
    for file in [kept, copy] { try Data([1, 2, 3]).write(to: file) }
    let script = try script(keeping: kept, removing: copy)
    let manager = FileManager.default
    switch change {
    case .gone, .symbolicLink, .hardLink, .folder: try manager.removeItem(at: kept)
    default: break
    }
    switch change {
    case .gone: break
    case .emptied: try Data().write(to: kept)
    case .sameLength: try Data([1, 2, 4]).write(to: kept)
    case .symbolicLink: try manager.createSymbolicLink(at: kept, withDestinationURL: copy)
    case .hardLink: try manager.linkItem(at: copy, to: kept)
    case .folder: try manager.createDirectory(at: kept, withIntermediateDirectories: false)
    case .copyChanged: try Data([1, 2, 3, 4]).write(to: copy)
    case .copyTouched:
      try manager.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: copy.path)
    }
    try run(script, with: shell)
    #expect(try Data(contentsOf: copy).starts(with: [1, 2, 3]))
  }

  // MARK: - One file under two names

  /// A script that finds programs of this name first.
  private func replacing(_ program: String, by text: String, in script: URL) throws -> URL {
    let programs = folder.appending("programs")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    let url = programs.appending(path: program)
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    let head = "#!/bin/sh\nPATH='\(programs.path)':$PATH\nSCRIPT=$$\nexport SCRIPT\n"
    let changed = folder.appending("changed.sh")
    try (Data(head.utf8) + Data(contentsOf: script)).write(to: changed)
    return changed
  }

  private func musicFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted().filter { $0.hasSuffix("mp3") }
  }

  @Test(arguments: shells)
  func `a file whose new name takes the other one away was the same one, and gets its name back`(
    shell: [String]
  ) throws {
    let (kept, copy) = (folder.appending("kept.mp3"), folder.appending("copy.mp3"))
    for file in [kept, copy] { try Data([1, 2, 3]).write(to: file) }
    // As if both were one file that two file systems show.
    let move = """
      /bin/mv "$@"
      if [ -e '\(copy.path)' ]; then
        /bin/mv '\(kept.path).gone' '\(kept.path)'
      else
        /bin/mv '\(kept.path)' '\(kept.path).gone'
      fi
      """
    try run(replacing("mv", by: move, in: script(keeping: kept, removing: copy)), with: shell)
    #expect(try musicFiles() == ["copy.mp3", "kept.mp3"])
    #expect(try Data(contentsOf: copy) == Data([1, 2, 3]))
  }

  @Test(
    .enabled(if: getuid() == 0, "only root mounts file systems"), arguments: shells,
    [("over", "upper"), ("upper", "over")])
  func `a file is not removed for itself in a file system that lies over its own`(
    shell: [String], places: (copy: String, kept: String)
  ) throws {
    for name in ["lower", "upper", "work", "over"] {
      try FileManager.default.createDirectory(at: folder.appending(name), withIntermediateDirectories: false)
    }
    let file = folder.appending("upper").appending(path: "song.mp3")
    try Data([1, 2, 3]).write(to: file)
    func path(_ name: String) -> String { folder.appending(name).path }
    let options = "lowerdir=\(path("lower")),upperdir=\(path("upper")),workdir=\(path("work"))"
    // Not every kernel, and not every container, can do this.
    guard (try? Tool.run("mount", "-t", "overlay", "overlay", "-o", options, path("over"))) != nil else { return }
    defer { _ = try? Tool.run("umount", path("over")) }
    let (kept, copy) = (folder.appending(places.kept), folder.appending(places.copy))
    try run(
      script(keeping: kept.appending(path: "song.mp3"), removing: copy.appending(path: "song.mp3")), with: shell)
    #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: copy.path) == ["song.mp3"])
  }

  // MARK: - Interruptions

  /// dash lets signals through that are blocked here, once it has waited for something; other shells inherit them.
  @Test(.enabled(if: Tool.exist("dash"), "dash is not installed"), arguments: ["HUP", "INT", "TERM"], shells)
  func `a file has its name again when the script was interrupted`(signal: String, shell: [String]) throws {
    let (kept, copy) = (folder.appending("kept.mp3"), folder.appending("copy.mp3"))
    for file in [kept, copy] { try Data([1, 2, 3]).write(to: file) }
    let interrupted = try replacing(
      "sha256sum", by: "kill -s \(signal) $SCRIPT; exec /usr/bin/sha256sum", in: script(keeping: kept, removing: copy))
    try run(interrupted, with: ["dash", "-c", "/bin/true; exec \"$@\"", "dash"] + shell)
    #expect(try musicFiles() == ["copy.mp3", "kept.mp3"])
  }

  @Test(arguments: [false, true], shells)
  func `the next run goes on where one was killed`(isKeptChanged: Bool, shell: [String]) throws {
    let (kept, copy) = (folder.appending("kept.mp3"), folder.appending("copy.mp3"))
    for file in [kept, copy] { try Data([1, 2, 3]).write(to: file) }
    let script = try script(keeping: kept, removing: copy)
    try run(replacing("sha256sum", by: "kill -s KILL $SCRIPT", in: script), with: shell)
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    if isKeptChanged { try Data([1, 2, 4]).write(to: kept) }
    try run(script, with: shell)
    #expect(try musicFiles() == (isKeptChanged ? ["copy.mp3", "kept.mp3"] : ["kept.mp3"]))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!left.contains { $0.hasSuffix("removing") }, "\(left)")
  }

  @Test(arguments: shells)
  func `a file whose new name is taken stays, and so does the other one`(shell: [String]) throws {
    let (kept, copy) = (folder.appending("kept.mp3"), folder.appending("copy.mp3"))
    let other = folder.appending("copy.mp3.deadwax-removing")
    for file in [kept, copy, other] { try Data([1, 2, 3]).write(to: file) }
    try run(script(keeping: kept, removing: copy), with: shell)
    #expect([kept, copy, other].allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
  }

  // MARK: - Kept files

  @Test func `a file is kept for no other if it was written to since the scan`() throws {
    let url = folder.appending("kept.mp3")
    try Data([1, 2, 3]).write(to: url)
    let seen = try stamp(url)
    #expect(
      try kept(url)?.checksum == "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81")
    let later = FileStatus.Stamp(
      byteCount: seen.byteCount, modificationTimeInNanoseconds: seen.modificationTimeInNanoseconds + 1)
    #expect(KeptFile(BytePath(url.path), stamp: later) == nil)
    let link = folder.appending("link.mp3")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    #expect(try kept(link) == nil)
  }
}
