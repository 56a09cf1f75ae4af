package import Base
package import MediaModel
internal import Synchronization

/// Pictures in a few sizes: made by confined workers when they are first asked for, and kept.
///
/// A picture that crashes or stalls its worker is remembered as unreadable for as long as the process lives.
package final class ThumbnailCache: Sendable {
  /// The longest sides that are made, in pixels; a size between two of them becomes the larger one.
  package static let sides = [64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048]

  private struct Key: Hashable {
    let picture: ContentHash
    let side: Int

    /// The last number is that of the way in which pictures are made smaller.
    var name: String { "\(picture)-\(side)-1.jpg" }
  }

  /// So many pictures are known that cannot be made smaller.
  private static let mostFailures = 10_000

  private let pictures: PictureCache
  /// What became of pictures that were not made smaller.
  private let failures = Mutex<LeastRecentlyUsed<Key, ReducedPictureAnswer>>(LeastRecentlyUsed(capacity: mostFailures))
  private let workers: PictureWorkers

  package init(_ pictures: PictureCache = PictureCache(), executable: String = WorkerProgram.path) {
    self.pictures = pictures
    workers = PictureWorkers(executable: executable)
  }

  /// The side that is made for a size; nil if the size is larger than all of them.
  package static func side(for size: Int) -> Int? { sides.first { $0 >= size } }

  /// What is kept of a picture; nil if it has to be made.
  package func known(_ picture: ContentHash, side: Int) -> ReducedPictureAnswer? {
    let key = Key(picture: picture, side: side)
    return failures.withLock { $0.value(for: key) } ?? pictures[key.name].map { .reduced($0) }
  }

  /// Makes a picture smaller, if it is not known.
  ///
  /// - Throws: ``SystemError`` if no worker can be started, which says nothing about the picture.
  package func reduced(
    _ picture: ContentHash, side: Int, bytes: [UInt8]
  ) throws(SystemError) -> ReducedPictureAnswer {
    if let known = known(picture, side: side) { return known }
    let key = Key(picture: picture, side: side)
    let answer = try workers.reduced(bytes, side: side)
    if case .reduced(let bytes) = answer {
      pictures.keep(bytes, as: key.name)
    } else {
      failures.withLock { _ = $0.insert(answer, for: key, cost: 1) }
    }
    return answer
  }

  /// Ends the workers that were not used for some seconds.
  package func endIdle(afterSeconds seconds: Double) { workers.endIdle(afterSeconds: seconds) }
}
