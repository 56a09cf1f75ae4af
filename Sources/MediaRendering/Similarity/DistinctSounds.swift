internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import SoundIndex

/// Tells which recordings of a library sound like each other because one is a copy, a cut or another master of the other: by their
/// landmarks, which are read once.
struct DistinctSounds {
  private let store: MediaStore
  private let matrix: SimilarityMatrix
  private var signatures: [Int: CopySignature?] = [:]

  init(_ matrix: SimilarityMatrix, in store: MediaStore) {
    self.store = store
    self.matrix = matrix
  }

  /// - Parameters:
  ///   - one: the place of a recording in the matrix.
  ///   - other: of another one.
  /// - Returns: false if one of them has no landmarks that can be read.
  mutating func isCopy(_ one: Int, of other: Int) throws(StoreError) -> Bool {
    guard let first = try signature(of: one), let second = try signature(of: other) else { return false }
    switch SoundRelation.between(first, second)?.kind {
    case .sameRecording, .contained, .otherMaster: return true
    case .sharesSample, nil: return false
    }
  }

  private mutating func signature(of index: Int) throws(StoreError) -> CopySignature? {
    if let known = signatures[index] { return known }
    let hash = matrix.hashes[index]
    let id = try store.recordings.ids(of: [hash])[hash]
    let product = try id.flatMap { id throws(StoreError) in
      do throws(StoreError) { return try store.products.product(.landmarks, ofRecording: id) } catch {
        // `doctor` reports it.
        if case .damagedProduct = error { return nil }
        throw error
      }
    }
    let found = product.flatMap { try? Landmarks(blob: $0.bytes) }.map { CopySignature($0, of: hash) }
    signatures[index] = .some(found)
    return found
  }
}
