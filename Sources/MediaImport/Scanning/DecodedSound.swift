internal import MediaModel
internal import MediaStore

/// What a scan remembers of a sound that was decoded, for other files that hold it.
struct DecodedSound {
  var state: FileState
  var problem: Problem?
  var format: MediaFormat?
  var products: [StoredProduct]

  /// Whether decoding another file with this sound would say nothing new: it was whole, and its length is exact.
  func isAuthoritative(for identity: Identity) -> Bool {
    state == .ok && (!identity.statesEncoderDelay || format?.delayFrameCount != nil)
  }

  /// Adds what was stored before of a sound that was decoded only for what it lacked.
  mutating func keepProducts(of known: DecodedSound?) {
    guard let known, !isBetter(than: known) else { return }
    products += known.products.filter { old in !products.contains { $0.kind == old.kind } }
  }

  /// Whether this decode stays when another one of the same sound is there.
  func isBetter(than other: DecodedSound) -> Bool {
    if (state == .ok) != (other.state == .ok) { return state == .ok }
    return format?.delayFrameCount != nil && other.format?.delayFrameCount == nil
  }
}

extension DecodedSound {
  init(_ extraction: Extraction) {
    self.init(
      state: extraction.state, problem: extraction.problem, format: extraction.format,
      products: extraction.products.map {
        StoredProduct(kind: $0.kind, version: $0.version, parameters: $0.parameters, byteCount: Int64($0.bytes.count))
      })
  }
}
