import Base
import Foundation
import Testing
import TestSupport

@testable import SoundSearch

struct RemovalScriptTests {
  @Test(arguments: [
    "plain.mp3", "it's.mp3", "a b\n$(touch evil) `x` \"q\" \\.mp3", "-rf", "'", "\u{1B}[31mred",
  ])
  func `running it removes exactly the named files, whatever their names`(name: String) throws {
    let folder = try TemporaryFolder()
    let path = BytePath(folder.url.path)
    let (kept, copy) = (path.appending(BytePath("keep \(name)")), path.appending(BytePath(name)))
    for file in [kept, copy] { try Data([1]).write(to: URL(filePath: file.displayString)) }
    var script = RemovalScript()
    script.add(keeping: (kept, 1), removing: [(copy, 1, "as good\nrm -rf /")])
    let url = folder.appending("remove.sh")
    try Data(script.bytes).write(to: url)
    _ = try #require(Tool("sh")).run([url.path])
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(left == ["keep \(name)", "remove.sh"])
  }

  @Test func `nothing is removed if the file that is kept is gone`() throws {
    let folder = try TemporaryFolder()
    let copy = BytePath(folder.appending("copy.mp3").path)
    try Data([1]).write(to: URL(filePath: copy.displayString))
    var script = RemovalScript()
    script.add(keeping: (BytePath(folder.appending("gone.mp3").path), 1), removing: [(copy, 1, "")])
    let url = folder.appending("remove.sh")
    try Data(script.bytes).write(to: url)
    _ = try #require(Tool("sh")).run([url.path])
    #expect(FileManager.default.fileExists(atPath: copy.displayString))
  }

  enum Change: String, CaseIterable, CustomTestStringConvertible {
    case emptied, symbolicLink, hardLink

    var testDescription: String { rawValue }
  }

  /// A link is another name of the file that would be removed.
  @Test(arguments: Change.allCases)
  func `nothing is removed if the file that is kept is not a file of its own`(change: Change) throws {
    let folder = try TemporaryFolder()
    let (kept, copy) = (folder.appending("kept.mp3"), folder.appending("copy.mp3"))
    try Data([1, 2, 3]).write(to: copy)
    switch change {
    case .emptied: try Data().write(to: kept)
    case .symbolicLink: try FileManager.default.createSymbolicLink(at: kept, withDestinationURL: copy)
    case .hardLink: try FileManager.default.linkItem(at: copy, to: kept)
    }
    var script = RemovalScript()
    script.add(keeping: (BytePath(kept.path), 3), removing: [(BytePath(copy.path), 3, "")])
    let url = folder.appending("remove.sh")
    try Data(script.bytes).write(to: url)
    _ = try #require(Tool("sh")).run([url.path])
    #expect(try Data(contentsOf: copy) == Data([1, 2, 3]))
  }
}
