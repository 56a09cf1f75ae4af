internal import Base
internal import DecodingService
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

/// What a scan remembers of a stream that was decoded, for other files that hold it.
struct DecodedRecording {
  /// What decoding showed; nil for a recording that was stored before.
  var decoded: DecodedStream
  var format: MediaFormat
  /// Of the file that was decoded.
  var declaration: StreamDeclaration
  var products: [StoredProduct]
  /// Whether its samples are frames of another codec.
  var isCodedSound: Bool

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
    guard let known, known.declaration == declaration else { return }
    products += known.products.filter { old in !products.contains { $0.kind == old.kind } }
  }
}

extension DecodedRecording {
  /// nil unless all of the file was decoded.
  init?(_ extraction: Extraction) {
    guard let decoded = extraction.decoded, let format = extraction.format, let stream = extraction.stream,
      format.decodedFrameCount != nil
    else { return nil }
    self.init(
      decoded: decoded, format: format, declaration: stream.declaration,
      products: extraction.products.map {
        StoredProduct(kind: $0.kind, version: $0.version, parameters: $0.parameters, byteCount: Int64($0.bytes.count))
      }, isCodedSound: extraction.notes.contains(Extraction.codedSoundNote))
  }

  /// nil if the stream was never decoded.
  init?(_ known: KnownStream) {
    guard let format = known.recording.format, format.decodedFrameCount != nil, let declaration = known.declaration,
      [.ok, .damaged, .empty].contains(known.recording.state)
    else { return nil }
    self.init(
      decoded: DecodedStream(problem: known.recording.problem), format: format, declaration: declaration,
      products: known.recording.products, isCodedSound: known.isCodedSound)
  }
}

extension Extraction {
  /// What is said of a file whose stream another file brought: by its own headers and the other's decode.
  func sharing(_ recording: DecodedRecording) -> Extraction {
    var shared = self
    if decoded == nil, let count = recording.format.decodedFrameCount {
      shared.judge(by: recording.decoded, frameCount: count)
      if recording.isCodedSound { shared.notes.append(Extraction.codedSoundNote) }
      var format = shared.format ?? recording.format
      format.codec = format.codec ?? recording.format.codec
      format.sampleRateInHz = recording.format.sampleRateInHz
      format.channelCount = recording.format.channelCount
      format.decodedFrameCount = stream?.declaration.frameCount ?? count
      shared.format = format
    } else if stream?.declaration != recording.declaration {
      // It was decoded only to be verified, and is not what is stored.
      shared.decoded = nil
    }
    return shared
  }
}

/// The streams that were decoded, in this scan or before.
struct KnownRecordings {
  private let store: MediaStore
  /// Whether stored products are read, so that those with damaged bytes are recomputed.
  private let readsProducts: Bool
  /// Streams that the store may not have yet.
  private var decoded: [ContentHash: DecodedRecording] = [:]

  init(in store: MediaStore, readsProducts: Bool) {
    self.store = store
    self.readsProducts = readsProducts
  }

  /// The decode that a file with this stream can share; nil if it must be decoded itself.
  ///
  /// A decode is shared unless this file's declaration is greater, or no file makes the stored declaration any more. A
  /// stream that is known only by version 1 of the hash may be another one if several files had that hash.
  func recording(_ identity: StreamIdentity, in job: FileJob) throws(ScanError) -> DecodedRecording? {
    if let recording = decoded[identity.hash] { return recording.declaration < identity.declaration ? nil : recording }
    let stored = try storing { () throws(StoreError) in try store.recordings.stream(identity) }
    guard let stored, var recording = DecodedRecording(stored), recording.declaration >= identity.declaration else {
      return nil
    }
    if stored.isFormer, stored.fileCount > 1, !Self.hadExactHash(recording.format.codec) { return nil }
    // What another version of the program could not decode is tried again.
    if recording.decoded.problem != nil,
      stored.isFormer || job.known.map({ $0.extractorVersion != ExtractorVersion.current }) == true
    {
      return nil
    }
    if recording.declaration != identity.declaration {
      let isDeclared = try storing { () throws(StoreError) in
        try store.recordings.isDeclared(
          recording.declaration, ofRecording: stored.recording.id, exceptByFile: job.known?.id)
      }
      guard isDeclared else { return nil }
    }
    // A shard that is not at hand has nothing: its products are computed again, into the library.
    recording.products +=
      (try? store.products.sharded(ofRecording: stored.recording.id, except: recording.products)) ?? []
    recording.products = recording.products.filter { !readsProducts || isReadable($0.kind, stored.recording.id) }
    return recording
  }

  /// Codecs whose streams could not share a hash of version 1.
  private static func hadExactHash(_ codec: Codec?) -> Bool {
    guard let codec else { return false }
    return [.mp1, .mp2, .mp3].contains(codec) || codec.rawValue.hasPrefix(Codec.samplesPrefix)
  }

  /// A stream that was decoded or looked up in this scan, without asking the store.
  func remembered(_ hash: ContentHash) -> DecodedRecording? { decoded[hash] }

  mutating func remember(_ recording: DecodedRecording, _ hash: ContentHash) { decoded[hash] = recording }

  /// Forgets all streams but these; called when the store has them.
  mutating func forget(allBut needed: Set<ContentHash>) { decoded = decoded.filter { needed.contains($0.key) } }

  private func isReadable(_ kind: ProductKind, _ recordingID: Int64) -> Bool {
    kind == .measures || (try? store.products.product(kind, ofRecording: recordingID)) != nil
  }
}
