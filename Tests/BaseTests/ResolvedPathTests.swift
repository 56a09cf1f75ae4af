import Foundation
import TestSupport
import Testing

@testable import Base

/// What a file system that folds names adds is in the cases of `make faults`, which mount one.
struct ResolvedPathTests {
  @Test func `names that differ in case or in the form of Unicode stay themselves where all are kept`() throws {
    let folder = try TemporaryFolder()
    for name in ["song.mp3", "SONG.MP3", "caf\u{E9}", "cafe\u{301}"] { try folder.write(Data(), to: name) }
    for name in ["song.mp3", "SONG.MP3", "caf\u{E9}", "cafe\u{301}"] {
      let path = BytePath(folder.url.path).appending(BytePath(name))
      #expect(try path.resolved().lastComponent == BytePath(name))
    }
  }

  @Test func `links, dots and the working directory are resolved`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data(), to: "song.mp3")
    try FileManager.default.createSymbolicLink(
      at: folder.appending("link"), withDestinationURL: folder.appending("song.mp3"))
    let start = try BytePath(folder.url.path).resolved()
    #expect(try start.appending(BytePath("./link")).resolved() == start.appending(BytePath("song.mp3")))
    #expect(try BytePath("/").resolved() == BytePath("/"))
    #expect(try BytePath(".").resolved().bytes.first == UInt8(ascii: "/"))
  }

  @Test func `a path to nothing is an error with its number`() throws {
    #expect(throws: SystemError(call: "realpath", code: ENOENT)) { try BytePath("/nowhere/at/all").resolved() }
  }

  // Faults: 197
  @Test func `of the names of a folder the one with the file of that name is it`() {
    let names = ["other.mp3", "Song.mp3", "sonG.mp3", "Cafe\u{301}", "LONGNAME.MP3"].map { BytePath($0) }
    let isFile = { (wanted: String) in { (name: BytePath) in name == BytePath(wanted) } }
    #expect(ListedName.match(BytePath("SONG.MP3"), among: names, has: isFile("sonG.mp3")) == BytePath("sonG.mp3"))
    #expect(ListedName.match(BytePath("caf\u{E9}"), among: names, has: { _ in false }) == BytePath("Cafe\u{301}"))
    // A short name of FAT.
    #expect(
      ListedName.match(BytePath("LONGNA~1.MP3"), among: names, has: isFile("LONGNAME.MP3")) == BytePath("LONGNAME.MP3"))
    #expect(ListedName.match(BytePath("none"), among: names, has: { _ in false }) == nil)
  }
}
