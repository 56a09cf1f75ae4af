internal import MediaImport
internal import MediaModel
internal import MediaStore

/// All that a worker says of one file, message after message, stored and asked for as a scan and a list would.
struct WorkerResultTarget: FuzzTarget {
  let name = "worker-result"
  let repetitionCount = 200

  static let extraction = Extraction(
    state: .damaged, problem: Problem(code: "truncated", reason: "3847 of 41519 frames", positionInSeconds: 0.5),
    notes: ["extension-mismatch"],
    format: MediaFormat(
      container: .flac, codec: .flac, sampleRateInHz: 44_100, channelCount: 2, bitsPerSample: 16,
      declaredFrameCount: 41_519, decodedFrameCount: 3847),
    tags: Tags([
      .init(name: "ARTIST", values: ["Nora Vale", "Ünïcode 夜"]), .init(name: "DATE", values: ["1974-03"]),
      .init(name: "TRACKNUMBER", values: ["3/12"]),
    ]),
    measures: Measures(samplePeakInDBFS: -1.5, clippedSampleCount: 3))

  var seeds: [[UInt8]] {
    let messages = WorkerMessageTarget.messages
    return [
      Array(WorkerMessage.finished(Self.extraction).bytes),
      Array(messages[1...4].map(\.bytes).joined()) + (messages.last?.bytes ?? []),
    ]
  }

  var dictionary: [String] {
    ["TITLE", "ARTIST", "ALBUM", "DATE", "TRACKNUMBER", "DISCNUMBER", "BPM", "COMPOSER", "COMMENT"]
      + ProductKind.allCases.map(\.rawValue) + FileState.allCases.map(\.rawValue)
  }

  func check(_ bytes: [UInt8]) throws {
    guard let extraction = Self.extraction(in: bytes) else { return }
    let store = try FuzzResultLibrary.shared.get().store
    let path = BytePath("fuzz.flac")
    let record = FileRecord(
      rootID: 1, path: path,
      status: FileStatus(
        byteCount: 1, modificationTimeInNanoseconds: 2, changeTimeInNanoseconds: 3, inode: 4, device: 5),
      extraction: extraction, attempts: 1, extractorVersion: 1, movedFrom: nil)
    try store.apply([.extracted(record)])
    try store.forEachRow(of: .everything, fields: MediaStore.fields) { _ in }
    _ = try store.status()
    try store.forEachProblem { _ in }
    guard let file = try store.knownFiles(inRoot: 1).first, let recording = file.recordingID else { return }
    _ = try store.detail(ofRecording: recording)
    _ = try store.measures(ofRecording: recording)
    for product in extraction.products where product.kind != .measures {
      let stored = try store.product(product.kind, ofRecording: recording)
      try require(
        stored?.bytes == extraction.products.last { $0.kind == product.kind }?.bytes, "other bytes are stored")
    }
  }

  /// What a reading puts together of messages up to the one that says the end; nil where one is none.
  private static func extraction(in bytes: [UInt8]) -> Extraction? {
    var rest = bytes[...]
    var (products, artwork): ([Product], [Artwork]) = ([], [])
    var identity: Identity?
    while rest.count > 4 {
      let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard length <= rest.count, let message = try? WorkerMessage(body: Array(rest.prefix(length))) else { return nil }
      rest = rest.dropFirst(length)
      switch message {
      case .identified(let known): identity = known
      case .product(let product): products.append(product)
      case .artwork(let picture): artwork.append(picture)
      case .finished(var extraction):
        extraction.products = products
        extraction.artwork = artwork
        extraction.payloadHash = identity?.hash
        extraction.payloadByteCount = identity?.payloadByteCount
        return extraction
      default: break
      }
    }
    return nil
  }
}
