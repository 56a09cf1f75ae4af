import Base
import DecodingService
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import TagEditing
import TestSupport

/// The body of a message from a worker, as the scan reads it.
struct WorkerMessageTarget: FuzzTarget {
  let name = "worker-message"

  var seeds: [[UInt8]] { Self.messages.map { Array($0.bytes.dropFirst(4)) } }

  static let messages: [WorkerMessage] = [
    .ready(
      version: WorkerProtocol.version,
      WorkerStatus(sandbox: SandboxStatus(landlockVersion: 4, opensAreRefused: true), chromaprintVersion: "1.5.1")),
    .identified(
      StreamIdentity(
        hash: ContentHash(high: 1, low: .max), formerHash: ContentHash(high: 3, low: 4), byteCount: 1 << 40,
        declaration: StreamDeclaration(isSound: false, delayFrameCount: 312, frameCount: 44_100, outputGain: -256))),
    .progress(decodedSeconds: 12.5),
    .artwork(
      Artwork(pictureType: 3, mimeType: "image/png", caption: "", hash: ContentHash(high: 2, low: 3), bytes: [1, 2, 3])),
    .product(Product(kind: .waveform, version: 1, parameters: "bits=8", bytes: WaveformDatTarget.peaks[0].datBytes)),
    .opened(
      DecodedShape(
        format: AudioFormat(sampleRateInHz: 48_000, channelCount: 6, sampleEncoding: .integer), delayFrameCount: 312)),
    .samples([0, -1, 1.5, .leastNonzeroMagnitude]), .samples([]),
    .planned(.refused(code: "unsafe", reason: "two tags")),
    .planned(.refused(code: "value", reason: "DATE: a year", property: "DATE")),
    .planned(
      .plan(
        ReversiblePlan(
          plan: SplicePlan(oldByteCount: 20, segments: [.copy(0..<4), .bytes([1, 2]), .copy(6..<20)]),
          undo: SplicePlan(oldByteCount: 20, segments: [.copy(0..<4), .bytes([3, 4]), .copy(6..<20)]),
          stream: StreamIdentity(hash: ContentHash(high: 1, low: 2), byteCount: 14)))),
    .finished(WorkerResultTarget.extraction),
  ]

  func check(_ bytes: [UInt8]) throws {
    guard let message = try? WorkerMessage(body: bytes) else { return }
    let written = message.bytes
    let again = try WorkerMessage(body: Array(written.dropFirst(4)))
    try require(again.bytes == written, "a message is not read as it is written")
    if case .samples(let samples) = message {
      try require(samples.allSatisfy(\.isFinite), "samples that are not finite")
    }
  }
}

/// The body of a request, as a worker reads it.
struct WorkerRequestTarget: FuzzTarget {
  let name = "worker-request"

  var seeds: [[UInt8]] {
    let requests: [WorkerRequest] = [
      .inspect(byteCount: 17, pathExtension: "flac", limits: InspectionLimits()),
      .analyse(kinds: [.waveform, .spectrum], verifies: false),
      .analyse(kinds: Set(ProductKind.allCases), verifies: true),
      .open(byteCount: 1 << 40, isDamaged: true, hashesStream: true),
      .samples(65_536..<131_072), .lookAhead,
      .planEdit(
        byteCount: 17,
        TagEdit([
          .set("TITLE", ["a", "b"]), .remove("DATE"), .removeFrontCovers,
          .setFrontCover(TagEdit.Cover(bytes: [1, 2], mimeType: "image/png", caption: "c")),
        ])),
    ]
    return requests.map { Array($0.bytes.dropFirst(4)) }
  }

  var dictionary: [String] { ProductKind.allCases.map(\.rawValue) }

  func check(_ bytes: [UInt8]) throws {
    guard let request = try? WorkerRequest(body: bytes) else { return }
    let written = request.bytes
    try require(
      try WorkerRequest(body: Array(written.dropFirst(4))).bytes == written, "a request is not read as it is written")
  }
}

/// All messages of a worker about one file, stored as a scan stores them and read as a list reads them.
struct WorkerResultTarget: FuzzTarget {
  let name = "worker-result"
  let repetitionCount = 200

  static let extraction = Extraction(
    state: .damaged, problem: Problem(code: "truncated", reason: "3847 of 41519 frames", positionInSeconds: 0.5),
    notes: ["extension-mismatch"],
    format: MediaFormat(
      container: .flac, codec: .flac, sampleRateInHz: 44_100, channelCount: 2, bitsPerSample: 16,
      declaredFrameCount: 41_519, decodedFrameCount: 3847),
    decoded: DecodedStream(
      problem: Problem(code: "crc", reason: "x", positionInSeconds: 1), sampleHash: ContentHash(high: 5, low: 6)),
    tags: Tags([
      .init(name: "ARTIST", values: ["Nora Vale", "Ünïcode 夜"]), .init(name: "DATE", values: ["1974-03"]),
      .init(name: "TRACKNUMBER", values: ["3/12"]),
    ]),
    measures: Measures(samplePeakInDBFS: -1.5, clippedSampleCount: 3))

  var seeds: [[UInt8]] {
    let messages = WorkerMessageTarget.messages
    return [
      Array(WorkerMessage.finished(Self.extraction).bytes),
      Array(messages[1...4].map(\.bytes).joined()) + WorkerMessage.finished(Self.extraction).bytes,
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
    try store.scans.apply([.extracted(record)])
    try store.forEachRow(of: .everything, fields: MediaStore.fields) { _ in }
    _ = try store.status()
    try store.files.forEachProblem { _ in }
    guard let file = try store.scans.knownFiles(inRoot: 1).first, let recording = file.recordingID else { return }
    _ = try store.tracks.detail(ofRecording: recording)
    _ = try store.products.measures(ofRecording: recording)
    for product in extraction.products where product.kind != .measures {
      let stored = try store.products.product(product.kind, ofRecording: recording)
      try require(
        stored?.bytes == extraction.products.last { $0.kind == product.kind }?.bytes, "other bytes are stored")
    }
  }

  /// The extraction that the messages up to the last one give; nil if a message is malformed.
  private static func extraction(in bytes: [UInt8]) -> Extraction? {
    var rest = bytes[...]
    var (products, artwork): ([Product], [Artwork]) = ([], [])
    var identity: StreamIdentity?
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
        extraction.stream = identity
        return extraction
      default: break
      }
    }
    return nil
  }
}

/// A library with one root, to which results of workers are written.
final class FuzzResultLibrary: Sendable {
  static let shared = Result { try FuzzResultLibrary() }

  let store: MediaStore
  private let folder: TemporaryFolder

  private init() throws {
    folder = try TemporaryFolder()
    store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing, timeout: .seconds(1))
    _ = try store.roots.add(BytePath("/music"), volume: "v1")
  }
}
