@testable import DecodingService
import Foundation
import MediaModel
import Synchronization
import Testing
import TestSupport

struct SegmentCacheTests {
  static let audio = SegmentedAudio(
    hash: ContentHash(high: 1, low: 2), format: AudioFormat(sampleRateInHz: 44_100, channelCount: 2))

  private static func key(_ number: Int64) -> SegmentKey { SegmentKey(audio: audio, number: number) }

  /// Bytes that a segment of so many samples takes in the cache.
  private static func cost(_ sampleCount: Int) throws -> Int {
    let cache = SegmentCache()
    _ = try cache.segment(for: key(0)) { [Float](repeating: 0, count: sampleCount) }
    return cache.statistics.byteCount
  }

  @Test func `a segment is decoded once and then comes from the cache`() throws {
    let cache = SegmentCache()
    let first = try cache.segment(for: Self.key(3)) { [1, 2, 3, 4] }
    let second = try cache.segment(for: Self.key(3)) { [] }
    #expect(first === second && second.samples == [1, 2, 3, 4] && second.frameCount == 2)
    let statistics = cache.statistics
    #expect(statistics.hitCount == 1 && statistics.missCount == 1 && statistics.waitCount == 0)
    #expect(statistics.segmentCount == 1 && statistics.evictionCount == 0)
  }

  @Test func `another rate, channel count, number or trimming is another segment`() throws {
    let cache = SegmentCache()
    var keys = [Self.key(0), Self.key(1)]
    for (rate, channelCount, delay) in [(48_000, 2, nil), (44_100, 1, nil), (44_100, 2, 576)] as [(Int, Int, Int?)] {
      keys.append(
        SegmentKey(
          audio: SegmentedAudio(
            hash: Self.audio.hash, format: AudioFormat(sampleRateInHz: rate, channelCount: channelCount),
            delayFrameCount: delay), number: 0))
    }
    for (value, key) in keys.enumerated() { _ = try cache.segment(for: key) { [Float(value)] } }
    for (value, key) in keys.enumerated() {
      #expect(try cache.segment(for: key) { [] }.samples == [Float(value)])
    }
    #expect(cache.statistics.missCount == 5)
  }

  @Test func `an evicted segment stays valid for its reader, and is counted until then`() throws {
    let cost = try Self.cost(1000)
    let cache = SegmentCache(capacityInBytes: 2 * cost)
    var held: DecodedSegment? = try cache.segment(for: Self.key(0)) { [Float](repeating: 7, count: 1000) }
    for number in 1...2 { _ = try cache.segment(for: Self.key(Int64(number))) { [Float](repeating: 0, count: 1000) } }
    #expect(cache.keysInOrderOfUse.map(\.number) == [2, 1])
    #expect(held?.samples == [Float](repeating: 7, count: 1000))
    #expect(cache.statistics.byteCount == 2 * cost)
    #expect(cache.statistics.existingByteCount == 3 * cost)
    held = nil
    #expect(cache.statistics.existingByteCount == 2 * cost)
    #expect(cache.statistics.evictionCount == 1)
  }

  @Test func `without capacity every request decodes`() throws {
    let cache = SegmentCache(capacityInBytes: 0)
    for _ in 0..<3 { _ = try cache.segment(for: Self.key(0)) { [1, 2] } }
    #expect(cache.statistics.missCount == 3)
    #expect(cache.statistics.peakByteCount == 0)
  }

  private struct Failure: Error {}

  @Test func `an error reaches the reader and is not kept`() throws {
    let cache = SegmentCache()
    #expect(throws: Failure.self) { try cache.segment(for: Self.key(0)) { throw Failure() } }
    #expect(try cache.segment(for: Self.key(0)) { [5] }.samples == [5])
  }

  /// Runs `body` on as many threads at once, and waits for all of them.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread {
        body(number)
        group.leave()
      }.start()
    }
    group.wait()
  }

  @Test func `threads that request the same segment at once share one decode`() {
    let cache = SegmentCache()
    let decodeCount = Atomic(0)
    let rightCount = Atomic(0)
    onThreads(8) { _ in
      let segment = try? cache.segment(for: Self.key(0)) {
        decodeCount.add(1, ordering: .relaxed)
        // Until all the others stand in line.
        while cache.statistics.requestCount < 8 { usleep(100) }
        return [1, 2, 3]
      }
      if segment?.samples == [1, 2, 3] { rightCount.add(1, ordering: .relaxed) }
    }
    #expect(decodeCount.load(ordering: .relaxed) == 1)
    #expect(rightCount.load(ordering: .relaxed) == 8)
    #expect(cache.statistics.waitCount == 7 && cache.statistics.missCount == 1)
  }

  @Test func `all threads that waited get the error`() {
    let cache = SegmentCache()
    let failureCount = Atomic(0)
    onThreads(4) { _ in
      do {
        _ = try cache.segment(for: Self.key(0)) {
          while cache.statistics.requestCount < 4 { usleep(100) }
          throw Failure()
        }
      } catch { failureCount.add(1, ordering: .relaxed) }
    }
    #expect(failureCount.load(ordering: .relaxed) == 4)
    #expect(cache.statistics.missCount == 1 && cache.statistics.waitCount == 3)
  }

  /// A sound of which each sample says where it is.
  private static func samples(_ key: SegmentKey, count: Int) -> [Float] {
    [Float](repeating: Float(key.number % 4096), count: count)
  }

  @Test func `eight threads and ten thousand segments stay within the capacity and what is in use`() throws {
    let capacity = 64 << 20
    let cache = SegmentCache(capacityInBytes: capacity)
    let sampleCount = 2 * SegmentKey.framesPerSegment
    let beingDecoded = Guarded<Set<Int64>>([])
    let errorCount = Atomic(0)
    onThreads(8) { thread in
      var random = RepeatableRandom(seed: UInt64(thread))
      for _ in 0..<1250 {
        // A few are asked for often, so that there are hits and waits.
        let isFrequent = Bool.random(using: &random)
        let number = Int64.random(in: 0..<(isFrequent ? 40 : 2000), using: &random)
        let segment = try? cache.segment(for: Self.key(number)) {
          if !beingDecoded.withLock({ $0.insert(number).inserted }) { errorCount.add(1, ordering: .relaxed) }
          defer { _ = beingDecoded.withLock { $0.remove(number) } }
          return Self.samples(Self.key(number), count: sampleCount)
        }
        if segment?.samples.count != sampleCount || segment?.samples.last != Float(number) {
          errorCount.add(1, ordering: .relaxed)
        }
      }
    }
    let statistics = cache.statistics
    #expect(errorCount.load(ordering: .relaxed) == 0)
    #expect(statistics.requestCount == 10_000)
    #expect(statistics.hitCount > 1000 && statistics.evictionCount > 1000)
    #expect(statistics.peakByteCount <= capacity && statistics.peakByteCount > capacity * 9 / 10)
    // Each thread holds one; one more is about to be let go.
    #expect(statistics.peakExistingByteCount <= capacity + 2 * 8 * (sampleCount * 4 + 1024))
    #expect(statistics.existingByteCount == statistics.byteCount)
    #expect(cache.keysInOrderOfUse.count == statistics.segmentCount)
  }

  @Test func `the debug description lists the segments in order of use`() throws {
    let cache = SegmentCache(capacityInBytes: 1 << 20)
    for number in [4, 9, 4] as [Int64] { _ = try cache.segment(for: Self.key(number)) { [0, 0] } }
    let lines = cache.debugDescription.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("2 segments, 528 of 1048576 bytes") && lines[0].contains("1 hit, 2 misses, 0 waits"))
    #expect(lines[1].contains(" 4: frames 262144..<327680, 44100 Hz, 2 channels"))
    #expect(lines[2].contains(" 9: "))
  }
}
