import Foundation
import Testing
import TestSupport

@testable import SoundIndex

struct PostingBucketTests {
  private func read(_ bytes: [UInt8]) -> [UInt64]? {
    var found: [UInt64] = []
    let padded = bytes + [UInt8](repeating: 0, count: PostingBucket.padding)
    let isIntact = padded.withUnsafeBytes { PostingBucket.forEach(in: $0, byteCount: bytes.count) { found.append($0) } }
    return isIntact ? found : nil
  }

  @Test(arguments: [0, 1, 10, 20, 33, 40, 61], [1, 2, 100, 3_000])
  func `what is read is what was written`(bits: Int, count: Int) throws {
    var random = RepeatableRandom(seed: UInt64(bits))
    let postings = (0..<count).map { _ in UInt64.random(in: 0..<1 << UInt64(bits), using: &random) }.sorted()
    var bytes: [UInt8] = []
    PostingBucket.append(postings, to: &bytes)
    #expect(read(bytes) == postings)
  }

  @Test func `a great leap after small steps is kept`() {
    let postings: [UInt64] = Array(0..<500) + [1 << 54, 1 << 54 + 1]
    var bytes: [UInt8] = []
    PostingBucket.append(postings, to: &bytes)
    #expect(read(bytes) == postings)
  }

  @Test func `random postings take at most a bit more than the best code`() {
    var random = RepeatableRandom(seed: 9)
    let range: UInt64 = 1 << 40
    let postings = (0..<10_000).map { _ in UInt64.random(in: 0..<range, using: &random) }.sorted()
    var bytes: [UInt8] = []
    PostingBucket.append(postings, to: &bytes)
    // The entropy of gaps that are spread exponentially: log2(e · mean).
    let best = log2(M_E * Double(range) / 10_000)
    #expect(Double(8 * bytes.count) / 10_000 < best + 0.15)
  }

  @Test func `a changed byte is noticed wherever it is`() {
    var bytes: [UInt8] = []
    PostingBucket.append((0..<200).map { $0 * 1_000 }, to: &bytes)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(read(damaged) == nil, "byte \(index)")
    }
    #expect(read(Array(bytes.dropLast())) == nil)
  }
}
