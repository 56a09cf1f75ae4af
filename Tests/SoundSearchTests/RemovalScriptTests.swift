import Base
import Foundation
import Testing
import TestSupport

@testable import SoundSearch

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

  @Test(
    arguments: ["plain.mp3", "it's.mp3", "a b\n$(touch evil) `x` \"q\" \\.mp3", "-rf", "'", "\u{1B}[31mred"], shells)
  func `running it removes exactly the named files, whatever their names`(name: String, shell: [String]) throws {
    let (kept, copy) = (folder.url.appending(path: "keep \(name)"), folder.url.appending(path: name))
    for file in [kept, copy] { try Data([1]).write(to: file) }
    try run(script(keeping: kept, removing: copy, reason: "as good\nrm -rf /"), with: shell)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(left == ["keep \(name)", "remove.sh"])
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
