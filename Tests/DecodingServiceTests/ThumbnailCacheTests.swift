import MediaModel
import Testing

@testable import DecodingService

struct ThumbnailCacheTests {
  @Test(arguments: [(1, 64), (64, 64), (65, 96), (300, 384), (2048, 2048), (2049, nil)] as [(Int, Int?)])
  func `a size becomes the next larger side`(size: Int, side: Int?) {
    #expect(ThumbnailCache.side(for: size) == side)
  }

  @Test func `a picture whose worker ends is remembered as unreadable`() throws {
    let cache = ThumbnailCache(executable: "/bin/false")
    let picture = ContentHash(high: 1, low: 2)
    #expect(cache.known(picture, side: 64) == nil)
    let answer = try cache.reduced(picture, side: 64, bytes: [1, 2, 3])
    guard case .unreadable = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(cache.known(picture, side: 64) == answer)
    #expect(cache.known(picture, side: 96) == nil)
  }

  @Test func `a worker that cannot be started says nothing about the picture`() {
    let cache = ThumbnailCache(executable: "/no/such/program")
    #expect(throws: (any Error).self) { try cache.reduced(ContentHash(high: 1, low: 2), side: 64, bytes: []) }
    #expect(cache.known(ContentHash(high: 1, low: 2), side: 64) == nil)
  }
}
