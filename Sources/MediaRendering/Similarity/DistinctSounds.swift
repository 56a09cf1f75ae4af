internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import SoundIndex

/// Recordings of a library of which none is a copy, a cut or another master of another one, by their landmarks.
struct DistinctSounds {
  private let store: MediaStore
  private let matrix: SimilarityMatrix
  private var chosen: [CopySignature] = []
  /// The places in ``chosen`` of those that have a key.
  private var places: [UInt64: [Int]] = [:]

  init(_ matrix: SimilarityMatrix, in store: MediaStore) {
    self.store = store
    self.matrix = matrix
  }

  /// Adds a recording, unless one like it is there. One without landmarks that can be read is like none.
  ///
  /// - Parameter index: the place of the recording in the matrix.
  /// - Returns: whether it was added.
  /// - Complexity: O(k) for its k keys, but for what it has in common with others.
  mutating func add(_ index: Int) throws(StoreError) -> Bool {
    guard let signature = try signature(of: index) else { return true }
    var counts: [Int: Int] = [:]
    for key in signature.keys { for place in places[key] ?? [] { counts[place, default: 0] += 1 } }
    for (place, count) in counts where count >= CopySignature.leastKeysInCommon {
      switch SoundRelation.between(signature, chosen[place])?.kind {
      case .sameRecording, .contained, .otherMaster: return false
      case .sharesSample, nil: continue
      }
    }
    for key in signature.keys { places[key, default: []].append(chosen.count) }
    chosen.append(signature)
    return true
  }

  private func signature(of index: Int) throws(StoreError) -> CopySignature? {
    let hash = matrix.hashes[index]
    guard let id = try store.recordings.ids(of: [hash])[hash] else { return nil }
    let product: Product?
    do throws(StoreError) { product = try store.products.product(.landmarks, ofRecording: id) } catch {
      // `doctor` reports it.
      guard case .damagedProduct = error else { throw error }
      return nil
    }
    return product.flatMap { try? Landmarks(blob: $0.bytes) }.map { CopySignature($0, of: hash) }
  }
}
