import Base
import Foundation
import Glibc
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing

/// Which names of folders are given away, and which are not whatever is asked.
struct BrowsableFoldersTests {
  private let folder: TemporaryFolder
  private let folders: BrowsableFolders
  private var top: BytePath { folder.file("top") }

  init() throws {
    folder = try TemporaryFolder()
    for name in ["top/Music/Jazz", "top/.hidden/inside", "top/a b", "secret/inner", "topmost"] {
      try FileManager.default.createDirectory(at: folder.appending(name), withIntermediateDirectories: true)
    }
    try Data("x".utf8).write(to: folder.appending("top/file.flac"))
    for (link, target) in [("top/out", "../secret"), ("top/in", "Music"), ("top/Music/up", "../..")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(link).path, withDestinationPath: target)
    }
    folders = BrowsableFolders([folder.file("top")])
  }

  private func names(_ path: BytePath, startingWith start: String = "") throws(HTTPProblem) -> [String] {
    try folders.listing(of: path, startingWith: start).names.map(\.displayString)
  }

  private func status(of path: BytePath) -> Int? {
    do throws(HTTPProblem) {
      _ = try folders.listing(of: path)
      return nil
    } catch {
      return error.status
    }
  }

  @Test func `only folders are named, and none that is hidden or behind a link`() throws {
    #expect(try names(top) == ["a b", "Music"])
    #expect(try names(top.appending(BytePath("Music"))) == ["Jazz"])
    #expect(try names(top.appending(BytePath("Music/Jazz/"))) == [])
    #expect(try names(top, startingWith: "MU") == ["Music"])
    #expect(folders.tops() == [top])
  }

  @Test(arguments: [
    "", "..", "../secret", "Music/..", "Music/../../secret", "./Music", ".hidden", ".hidden/inside", "out", "out/inner",
    "in", "in/Jazz", "Music/up", "Music/up/secret", "file.flac", "nothing", "most", "a\0b",
  ])
  func `nothing else is found, and places that are there are not told from others`(name: String) throws {
    let others = ["": "secret", "most": "topmost"]
    let path = others[name].map { folder.file($0) } ?? top.appending(BytePath(name))
    #expect(status(of: path) == 404)
    #expect(throws: HTTPProblem.self) { try folders.place(of: path) }
  }

  @Test(arguments: ["/", "/proc", "/etc", "relative", ""])
  func `what lies above or elsewhere is not found`(path: String) {
    #expect(status(of: BytePath(path)) == 404)
  }

  @Test func `the parent of a folder is named only if it may be shown`() throws {
    #expect(try folders.listing(of: top).parent == nil)
    #expect(try folders.listing(of: top.appending(BytePath("Music/Jazz"))).parent == top.appending(BytePath("Music")))
    let both = BrowsableFolders([top.appending(BytePath("Music")), top, top])
    #expect(both.tops() == [top.appending(BytePath("Music")), top])
    #expect(try both.listing(of: top.appending(BytePath("Music"))).parent == top)
  }

  @Test func `a folder that is the end of a link is shown by its own path`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending("link").path, withDestinationPath: folder.appending("top/Music").path)
    let linked = BrowsableFolders([folder.file("link"), folder.file("gone")])
    #expect(linked.tops() == [top.appending(BytePath("Music"))])
    #expect(try linked.listing(of: top.appending(BytePath("Music"))).names == [BytePath("Jazz")])
    #expect(throws: HTTPProblem.self) { try linked.listing(of: top) }
  }

  @Test func `a name that is not UTF-8 is one like others`() throws {
    let odd = BytePath([0x4D, 0xFF, 0x20])
    #expect(top.appending(odd).withCString { mkdir($0, 0o700) } == 0)
    #expect(top.appending(odd).appending(BytePath("in it")).withCString { mkdir($0, 0o700) } == 0)
    #expect(try folders.listing(of: top).names.contains(odd))
    #expect(try names(top.appending(odd)) == ["in it"])
    #expect(try folders.place(of: top.appending(odd)) == top.appending(odd))
  }

  @Test func `of very many folders the first are named, and it says that there are more`() throws {
    for number in 0..<1_100 {
      #expect(top.appending(BytePath("Music/n\(number)")).withCString { mkdir($0, 0o700) } == 0)
    }
    let all = try folders.listing(of: top.appending(BytePath("Music")))
    #expect(all.names.count == 1_000 && all.isCut)
    #expect(all.names.first == BytePath("Jazz"))
    let some = try folders.listing(of: top.appending(BytePath("Music")), startingWith: "n10")
    #expect(some.names.count == 111 && !some.isCut)
    #expect(try folders.listing(of: top.appending(BytePath("Music")), limit: 3).names.count == 3)
  }

  @Test(.enabled(if: getuid() != 0))
  func `a folder that cannot be read says so`() throws {
    let closed = top.appending(BytePath("a b"))
    #expect(closed.withCString { chmod($0, 0) } == 0)
    #expect(status(of: closed) == 403)
    #expect(closed.withCString { chmod($0, 0o700) } == 0)
  }

  @Test func `a link that takes the place of a folder meanwhile leads nowhere`() throws {
    let inner = top.appending(BytePath("Music/Jazz"))
    #expect(try folders.place(of: inner) == inner)
    #expect(inner.withCString { rmdir($0) } == 0)
    try FileManager.default.createSymbolicLink(atPath: inner.displayString, withDestinationPath: "../../../secret")
    #expect(status(of: inner) == 404)
    #expect(throws: HTTPProblem.self) { try folders.place(of: inner) }
  }

  @Test func `file systems of the kernel are not shown`() {
    let all = BrowsableFolders([BytePath("/")])
    for path in ["/proc", "/proc/self"] {
      #expect(throws: HTTPProblem.self, "\(path)") { try all.listing(of: BytePath(path)) }
    }
  }
}
