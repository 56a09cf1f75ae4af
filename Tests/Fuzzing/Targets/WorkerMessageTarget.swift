internal import MediaImport
internal import MediaModel

/// The body of a message from a worker, as the scan reads it.
struct WorkerMessageTarget: FuzzTarget {
  let name = "worker-message"

  var seeds: [[UInt8]] { Self.messages.map { Array($0.bytes.dropFirst(4)) } }

  static let messages: [WorkerMessage] = [
    .ready(
      version: WorkerProtocol.version,
      WorkerStatus(sandbox: SandboxStatus(landlockVersion: 4, opensAreRefused: true), chromaprintVersion: "1.5.1")),
    .identified(
      Identity(
        hash: ContentHash(high: 1, low: .max), payloadByteCount: 1 << 40, statesEncoderDelay: true, isIntact: false)),
    .progress(decodedSeconds: 12.5),
    .artwork(
      Artwork(pictureType: 3, mimeType: "image/png", caption: "", hash: ContentHash(high: 2, low: 3), bytes: [1, 2, 3])),
    .product(Product(kind: .waveform, version: 1, parameters: "bits=8", bytes: WaveformDatTarget.peaks[0].datBytes)),
    .opened(
      SoundShape(
        format: AudioFormat(sampleRateInHz: 48_000, channelCount: 6, sampleEncoding: .integer), delayFrameCount: 312)),
    .samples([0, -1, 1.5, .leastNonzeroMagnitude]), .samples([]), .finished(WorkerResultTarget.extraction),
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
