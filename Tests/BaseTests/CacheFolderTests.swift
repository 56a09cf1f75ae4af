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

  /// Names begin with 32 digits, which are left out here.
  private static let digits = String(repeating: "0a", count: 16)

  private func name(_ text: String) -> String { Self.digits + text }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending("deep/in/there").path).sorted().map {
      $0.hasPrefix(Self.digits) ? String($0.dropFirst(32)) : $0
    }
  }

  @Test func `what is kept is found, also by another one, and nothing else is`() throws {
    #expect(cache().bytes(name("a.jpg"), limit: 100) == nil)
    cache().keep([1, 2, 3], as: name("a.jpg"))
    #expect(cache().bytes(name("a.jpg"), limit: 100) == [1, 2, 3])
    #expect(cache().bytes(name("b.jpg"), limit: 100) == nil)
    #expect(cache().bytes(name("a.jpg"), limit: 2) == nil)
    cache().keep([4], as: name("a.jpg"))
    #expect(cache().bytes(name("a.jpg"), limit: 100) == [4])
    #expect(try names() == ["a.jpg"])
  }

  @Test func `what was not used for longest goes first`() throws {
    let cache = cache()
    for (index, name) in ["a", "b", "c", "d"].enumerated() {
      cache.keep([UInt8](repeating: 1, count: 240), as: self.name(name))
      let old = [timespec(tv_sec: 1_000 + index, tv_nsec: 0), timespec(tv_sec: 1_000 + index, tv_nsec: 0)]
      utimensat(AT_FDCWD, folder.appending("deep/in/there/\(self.name(name))").path, old, 0)
    }
    // It counts as used now.
    #expect(cache.bytes(name("a"), limit: 1_000) != nil)
    cache.keep([UInt8](repeating: 1, count: 240), as: name("e"))
    #expect(try names() == ["a", "d", "e"])
  }

  @Test func `there are never more bytes than may be`() throws {
    var generator = RepeatableRandom(seed: 48)
    let cache = cache()
    for index in 0..<100 {
      let count = Int.random(in: 0...400, using: &generator)
      cache.keep([UInt8](repeating: 7, count: count), as: name("f\(index)"))
      let sizes = try FileManager.default.contentsOfDirectory(atPath: folder.appending("deep/in/there").path).map {
        name in
        try FileManager.default.attributesOfItem(atPath: folder.appending("deep/in/there/\(name)").path)[.size] as? Int
          ?? 0
      }
      #expect(sizes.reduce(0, +) <= 1_000)
    }
  }

  @Test func `one that is as large as a quarter of all is not kept`() throws {
    cache().keep([UInt8](repeating: 1, count: 251), as: name("a"))
    #expect(cache().bytes(name("a"), limit: 1_000) == nil)
  }

  @Test func `where nothing can be written nothing is kept`() throws {
    let cache = CacheFolder(BytePath("/proc/none/of/this"), capacityInBytes: 1_000)
    cache.keep([1], as: name("a"))
    #expect(cache.bytes(name("a"), limit: 10) == nil)
  }

  @Test func `a link in its place is not followed`() throws {
    try folder.write([9], to: "secret")
    cache().keep([1], as: name("a"))
    try FileManager.default.removeItem(at: folder.appending("deep/in/there/\(name("a"))"))
    try FileManager.default.createSymbolicLink(
      at: folder.appending("deep/in/there/\(name("a"))"), withDestinationURL: folder.appending("secret"))
    #expect(cache().bytes(name("a"), limit: 10) == nil)
    cache().keep([2], as: name("a"))
    #expect(cache().bytes(name("a"), limit: 10) == [2])
    #expect(try folder.bytes(of: "secret") == [9])
  }

  @Test func `files with other names are neither counted nor deleted`() throws {
    let cache = cache()
    cache.keep([1], as: name("a"))
    for index in 0..<10 {
      try folder.write([UInt8](repeating: 1, count: 500), to: "deep/in/there/holiday\(index).jpg")
    }
    for index in 0..<10 { cache.keep([UInt8](repeating: 1, count: 200), as: name("f\(index)")) }
    #expect(try names().count { $0.hasPrefix("holiday") } == 10)
    cache.keep([1], as: "holiday.jpg")
    #expect(try !names().contains("holiday.jpg"))
  }

  @Test func `a link in the place of the folder is not followed`() throws {
    let other = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.appending("deep/in"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: folder.appending("deep/in/there"), withDestinationURL: other.appending(""))
    cache().keep([1], as: name("a"))
    #expect(try other.names().isEmpty && cache().bytes(name("a"), limit: 10) == nil)
  }
}
