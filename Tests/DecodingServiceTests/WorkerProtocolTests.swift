import Base
import DecodingService
import MediaModel
import Testing

struct WorkerProtocolTests {
  static let extraction = Extraction(
    state: .damaged, problem: Problem(code: "truncated", reason: "3847 of 41519 frames", positionInSeconds: 0.5),
    notes: ["extension-mismatch"],
    format: MediaFormat(
      container: .flac, codec: .flac, sampleRateInHz: 44_100, channelCount: 2, bitsPerSample: 16,
      declaredFrameCount: 41_519,
      decodedFrameCount: 3847),
    decoded: DecodedStream(
      problem: Problem(code: "corrupt", reason: "after frame 3000", positionInSeconds: 0.1),
      sampleHash: ContentHash(high: 5, low: 6)),
    tags: Tags([.init(name: "ARTIST", values: ["Nora Vale", "Ünïcode 夜"])]),
    measures: Measures(samplePeakInDBFS: -1.5, clippedSampleCount: 3))

  static let messages: [WorkerMessage] = [
    .ready(
      version: 2,
      WorkerStatus(
        sandbox: SandboxStatus(landlockVersion: 4, opensAreRefused: true, callsAreFiltered: true),
        chromaprintVersion: "1.5.1")),
    .ready(version: 2, WorkerStatus(sandbox: SandboxStatus(landlockVersion: 0, opensAreRefused: false))),
    .identified(
      StreamIdentity(
        hash: ContentHash(high: 1, low: .max), formerHash: ContentHash(high: 7, low: 8), byteCount: 1 << 40,
        declaration: StreamDeclaration(isSound: false, delayFrameCount: 312, frameCount: 1 << 33, outputGain: -1536))),
    .identified(StreamIdentity(hash: ContentHash(high: 1, low: 2), hashVersion: 1, byteCount: 1)),
    .progress(decodedSeconds: 12.5),
    .artwork(
      Artwork(pictureType: 3, mimeType: "image/png", caption: "", hash: ContentHash(high: 2, low: 3), bytes: [1, 2, 3])),
    .product(Product(kind: .waveform, version: 1, parameters: "bits=8", bytes: [9, 8])),
    .opened(
      DecodedShape(
        format: AudioFormat(sampleRateInHz: 48_000, channelCount: 6, sampleEncoding: .integer), delayFrameCount: 312)),
    .opened(
      DecodedShape(
        format: AudioFormat(sampleRateInHz: 1, channelCount: 1, sampleEncoding: .floatingPoint), paddingFrameCount: 7,
        stream: StreamIdentity(hash: ContentHash(high: 4, low: 5), byteCount: 9))),
    .samples([0, -1, 1.5, .leastNonzeroMagnitude]), .samples([]),
    .reduced(.reduced([1, 2, 3])), .reduced(.unchanged), .reduced(.unreadable(reason: "ünlesbar")),
    .finished(extraction),
  ]

  static let requests: [WorkerRequest] = [
    .inspect(byteCount: 17, pathExtension: "flac", limits: InspectionLimits()),
    .analyse(kinds: [.waveform, .spectrum], verifies: false), .analyse(kinds: [], verifies: true),
    .open(byteCount: 1 << 40, isDamaged: true, hashesStream: true), .samples(65_536..<131_072),
    .reduce(byteCount: 123_456_789, longestSide: 384), .lookAhead,
  ]

  @Test(arguments: messages)
  func `a message is read back as it was written`(message: WorkerMessage) throws {
    #expect(try WorkerMessage(body: Array(message.bytes.dropFirst(4))) == message)
  }

  @Test(arguments: requests)
  func `a request is read back as it was written`(request: WorkerRequest) throws {
    #expect(try WorkerRequest(body: Array(request.bytes.dropFirst(4))) == request)
  }

  @Test(arguments: messages)
  func `a message that is cut anywhere is refused`(message: WorkerMessage) {
    let body = Array(message.bytes.dropFirst(4))
    for length in 0..<body.count {
      #expect(throws: ByteReader.Failure.self) { try WorkerMessage(body: Array(body.prefix(length))) }
    }
  }

  @Test func `a text that is not UTF-8 is refused`() throws {
    var extraction = Extraction(state: .damaged)
    extraction.problem = Problem(code: "truncated", reason: String(repeating: "x", count: 250))
    var body = Array(WorkerMessage.finished(extraction).bytes.dropFirst(4))
    let start = try #require(body.firstRange(of: Array(repeating: UInt8(ascii: "x"), count: 250)))
    body[start.lowerBound + 100] = 0xFF
    let refused = #expect(throws: ByteReader.Failure.self) { try WorkerMessage(body: body) }
    #expect("\(try #require(refused))".contains("UTF-8"))
  }

  // Faults: 40
  @Test(arguments: messages)
  func `a message with any byte changed is refused, or read as one that can be written again`(message: WorkerMessage)
    throws
  {
    let body = Array(message.bytes.dropFirst(4))
    for position in body.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var changed = body
        changed[position] = value
        guard let read = try? WorkerMessage(body: changed) else { continue }
        #expect(try WorkerMessage(body: Array(read.bytes.dropFirst(4))) == read, "byte \(position) as \(value)")
      }
    }
  }

  @Test(arguments: [-1, .min, .max, (1 << 48) + 1]) func `a length that no stream can have is refused`(byteCount: Int64)
  {
    let identity = StreamIdentity(
      hash: ContentHash(high: 1, low: 2), byteCount: byteCount)
    let body = Array(WorkerMessage.identified(identity).bytes.dropFirst(4))
    #expect(throws: ByteReader.Failure.self) { try WorkerMessage(body: body) }
  }

  @Test func `a picture larger than is kept is refused`() throws {
    func message(byteCount: Int) -> WorkerMessage {
      .artwork(
        Artwork(
          pictureType: 3, mimeType: "image/png", caption: "", hash: ContentHash(high: 2, low: 3),
          bytes: [UInt8](repeating: 0, count: byteCount)))
    }
    let largest = message(byteCount: 16 << 20)
    #expect(try WorkerMessage(body: Array(largest.bytes.dropFirst(4))) == largest)
    let body = Array(message(byteCount: (16 << 20) + 1).bytes.dropFirst(4))
    #expect(throws: ByteReader.Failure.self) { try WorkerMessage(body: body) }
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func `samples that are not finite are refused`(sample: Float) {
    let message = WorkerMessage.samples([0, sample])
    #expect(throws: ByteReader.Failure.self) { try WorkerMessage(body: Array(message.bytes.dropFirst(4))) }
  }
}
