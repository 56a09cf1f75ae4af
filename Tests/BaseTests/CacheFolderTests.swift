import Base
import Foundation
import Glibc
import TestSupport
import Testing

struct CacheFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func cache(_ capacity: Int64 = 1_000) -> CacheFolder {
    CacheFolder(folder.file("deep/in/there"), capacityInBytes: capacity)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending("deep/in/there").path).sorted()
  }

  @Test func `what is kept is found, also by another one, and nothing else is`() throws {
    #expect(cache().bytes("a.jpg", limit: 100) == nil)
    cache().keep([1, 2, 3], as: "a.jpg")
    #expect(cache().bytes("a.jpg", limit: 100) == [1, 2, 3])
    #expect(cache().bytes("b.jpg", limit: 100) == nil)
    #expect(cache().bytes("a.jpg", limit: 2) == nil)
    cache().keep([4], as: "a.jpg")
    #expect(cache().bytes("a.jpg", limit: 100) == [4])
    #expect(try names() == ["a.jpg"])
  }

  @Test func `what was not used for longest goes first`() throws {
    let cache = cache()
    for (index, name) in ["a", "b", "c", "d"].enumerated() {
      cache.keep([UInt8](repeating: 1, count: 240), as: name)
      let old = [timespec(tv_sec: 1_000 + index, tv_nsec: 0), timespec(tv_sec: 1_000 + index, tv_nsec: 0)]
      utimensat(AT_FDCWD, folder.appending("deep/in/there/\(name)").path, old, 0)
    }
    // It counts as used now.
    #expect(cache.bytes("a", limit: 1_000) != nil)
    cache.keep([UInt8](repeating: 1, count: 240), as: "e")
    #expect(try names() == ["a", "d", "e"])
  }

  @Test func `there are never more bytes than may be`() throws {
    var generator = SystemRandomNumberGenerator()
    let cache = cache()
    for index in 0..<100 {
      let count = Int.random(in: 0...400, using: &generator)
      cache.keep([UInt8](repeating: 7, count: count), as: "f\(index)")
      let sizes = try names().map { name in
        try FileManager.default.attributesOfItem(atPath: folder.appending("deep/in/there/\(name)").path)[.size] as? Int
          ?? 0
      }
      #expect(sizes.reduce(0, +) <= 1_000)
    }
  }

  @Test func `one that is as large as a quarter of all is not kept`() throws {
    cache().keep([UInt8](repeating: 1, count: 251), as: "a")
    #expect(cache().bytes("a", limit: 1_000) == nil)
  }

  @Test func `where nothing can be written nothing is kept`() throws {
    let cache = CacheFolder(BytePath("/proc/none/of/this"), capacityInBytes: 1_000)
    cache.keep([1], as: "a")
    #expect(cache.bytes("a", limit: 10) == nil)
  }

  @Test func `a link in its place is not followed`() throws {
    try folder.write([9], to: "secret")
    cache().keep([1], as: "a")
    try FileManager.default.removeItem(at: folder.appending("deep/in/there/a"))
    try FileManager.default.createSymbolicLink(
      at: folder.appending("deep/in/there/a"), withDestinationURL: folder.appending("secret"))
    #expect(cache().bytes("a", limit: 10) == nil)
    cache().keep([2], as: "a")
    #expect(cache().bytes("a", limit: 10) == [2])
    #expect(try folder.bytes(of: "secret") == [9])
  }
}
