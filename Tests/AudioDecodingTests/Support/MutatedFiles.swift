import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

extension TemporaryFolder {
  /// Changes bytes of a file at random, `count` times, and reads it: whatever they are, it is at worst damaged, and says why.
  ///
  /// - Parameters:
  ///   - changes: how many bytes are changed each time.
  ///   - places: where; nil for anywhere.
  ///   - read: finds the stream and decodes it, if nothing else is given.
  func readMutations(
    of bytes: [UInt8], as name: String, count: Int, seed: UInt64, changes: ClosedRange<Int> = 1...20,
    places: Range<Int>? = nil, read: (URL) throws -> Void = TemporaryFolder.readWhole
  ) throws {
    var random = RepeatableRandom(seed: seed)
    for _ in 0..<count {
      var changed = bytes
      for _ in 0..<Int.random(in: changes, using: &random) {
        changed[Int.random(in: places ?? 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try write(changed, to: name)
      do { try read(appending(name)) } catch let error as DecodingError { #expect(!error.problem.reason.isEmpty) }
    }
  }

  static func readWhole(_ url: URL) throws {
    _ = try OpenFile(url).identity()
    let decoded = try DecodedFile(url)
    #expect(decoded.samples.allSatisfy { $0.isFinite })
  }
}
