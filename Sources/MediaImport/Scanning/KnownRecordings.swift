internal import Base
internal import DecodingService
internal import MediaModel
internal import MediaStore

/// What a scan remembers of a recording that was decoded, for other files that hold it.
struct DecodedRecording {
  var state: FileState
  var problem: Problem?
  var format: MediaFormat?
  var products: [StoredProduct]

  /// Whether decoding another file with this recording would add nothing: it was whole, and its length is exact.
  func isAuthoritative(for identity: StreamIdentity) -> Bool {
    state == .ok && (!identity.statesEncoderDelay || format?.delayFrameCount != nil)
  }

  /// The kinds whose product is not there, or not as this version of the program makes it.
  func missing(of kinds: Set<ProductKind>) -> Set<ProductKind> {
    kinds.filter { kind in
      let recipe = ProductRecipe.current(kind)
      return !products.contains {
        $0.kind == kind && recipe.accepts(version: $0.version, parameters: $0.parameters)
      }
    }
  }

  /// Adds the products that were stored before, for a recording of which only some were made.
  mutating func keepProducts(of known: DecodedRecording?) {
    guard let known, !isBetter(than: known) else { return }
    products += known.products.filter { old in !products.contains { $0.kind == old.kind } }
  }

  /// Whether this decode replaces another one of the same recording.
  func isBetter(than other: DecodedRecording) -> Bool {
    if (state == .ok) != (other.state == .ok) { return state == .ok }
    return format?.delayFrameCount != nil && other.format?.delayFrameCount == nil
  }
}

extension DecodedRecording {
  init(_ extraction: Extraction) {
    self.init(
      state: extraction.state, problem: extraction.problem, format: extraction.format,
      products: extraction.products.map {
        StoredProduct(kind: $0.kind, version: $0.version, parameters: $0.parameters, byteCount: Int64($0.bytes.count))
      })
  }
}

/// The recordings that were decoded, in this scan or before.
struct KnownRecordings {
  private let store: MediaStore
  /// Whether stored products are read, so that those with damaged bytes are recomputed.
  private let readsProducts: Bool
  /// Recordings that the store may not have yet.
  private var decoded: [ContentHash: DecodedRecording] = [:]

  init(in store: MediaStore, readsProducts: Bool) {
    self.store = store
    self.readsProducts = readsProducts
  }

  /// A recording that was decoded; nil if none was.
  func recording(_ hash: ContentHash) throws(ScanError) -> DecodedRecording? {
    if let recording = decoded[hash] { return recording }
    let stored = try storing { () throws(StoreError) in try store.recording(hash: hash) }
    guard let stored, stored.format?.decodedFrameCount != nil else { return nil }
    let products = stored.products.filter { !readsProducts || isReadable($0.kind, stored.id) }
    return DecodedRecording(
      state: stored.state, problem: stored.problem, format: stored.format, products: products)
  }

  /// A recording that was decoded or looked up in this scan, without asking the store.
  func remembered(_ hash: ContentHash) -> DecodedRecording? { decoded[hash] }

  mutating func remember(_ recording: DecodedRecording, _ hash: ContentHash) { decoded[hash] = recording }

  /// Forgets all recordings but these; called when the store has them.
  mutating func forget(allBut needed: Set<ContentHash>) { decoded = decoded.filter { needed.contains($0.key) } }

  private func isReadable(_ kind: ProductKind, _ recordingID: Int64) -> Bool {
    kind == .measures || (try? store.product(kind, ofRecording: recordingID)) != nil
  }
}
