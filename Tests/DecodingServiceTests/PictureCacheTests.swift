import Base
import DecodingService
import TestSupport
import Testing

struct PictureCacheTests {
  private let folder: TemporaryFolder
  private let name = String(repeating: "0a", count: 16) + "-64-1.jpg"

  init() throws { folder = try TemporaryFolder() }

  private func cache() -> PictureCache {
    PictureCache(capacityInBytes: 1_000, folder: CacheFolder(folder.file("covers"), capacityInBytes: 100_000))
  }

  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3, 0xFF, 0xD9]

  @Test func `what is kept is known in memory and to the next process`() {
    let cache = cache()
    #expect(cache[name] == nil)
    cache.keep(Self.jpeg, as: name)
    #expect(cache[name] == Self.jpeg)
    #expect(self.cache()[name] == Self.jpeg)
    #expect(PictureCache()[name] == nil)
  }

  @Test(arguments: [0, 3, 8])
  func `a file that was cut off is as if it were not there`(count: Int) throws {
    cache().keep(Self.jpeg, as: name)
    try folder.write(Self.jpeg.prefix(count), to: "covers/\(name)")
    #expect(cache()[name] == nil)
    cache().keep(Self.jpeg, as: name)
    #expect(cache()[name] == Self.jpeg)
  }

  @Test func `a file with other contents is not sent`() throws {
    cache().keep(Self.jpeg, as: name)
    try folder.write("<html>GARBAGE".utf8, to: "covers/\(name)")
    #expect(cache()[name] == nil)
  }
}
