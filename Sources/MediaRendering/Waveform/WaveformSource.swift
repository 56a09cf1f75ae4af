internal import AudioAnalysis
package import Base
internal import DecodingService
internal import LibraryTracks
internal import MediaExchange
package import MediaModel
package import MediaStore

/// Where the peaks of a waveform come from: a track of the library, or a file of peaks.
package protocol WaveformSource {
  var inventory: WaveformInventory { get }

  /// The path of the track, for messages; nil for a file of peaks.
  var path: BytePath? { get }

  /// Levels of bands and of the mix; nil if there are none.
  func energy() throws -> WaveformEnergy?

  /// Why a style that needs the energy cannot be drawn if there is none.
  var absenceOfEnergy: RenderingError { get }

  func peaks(for selection: WaveformSelection) throws -> WaveformPeaks
}

extension WaveformSource {
  /// - Throws: ``absenceOfEnergy``.
  func requiredEnergy() throws -> WaveformEnergy {
    guard let energy = try energy() else { throw absenceOfEnergy }
    return energy
  }
}

/// The waveform of one track: what the library has of it, and the rest decoded.
///
/// That of a part is cut from the whole: stored points begin with the one that holds the part's first frame, decoded ones
/// with that frame.
package struct TrackWaveform: WaveformSource {
  package let inventory: WaveformInventory
  private let source: RecordingSource
  private let store: MediaStore
  private let frames: Range<Int64>

  /// Looks at what is stored; products are read when they are needed, so `store` must stay open meanwhile.
  ///
  /// - Throws: ``RenderingError/noRecording(_:)`` for a track of which only the tags are known.
  package init(of source: RecordingSource, in store: MediaStore) throws {
    self.source = source
    self.store = store
    let track = source.track
    func shape(_ kind: ProductKind) throws -> WaveformInventory.Shape? {
      let header = try store.products.start(
        of: kind, ofRecording: track.recordingID, byteCount: WaveformPeaks.largestHeaderByteCount)
      if let header, let peaks = try? WaveformPeaks(datBytes: header) { return WaveformInventory.Shape(of: peaks) }
      // There is no such product, or reading all of it says that it is damaged.
      return try Self.peaks(kind, of: source, in: store).map(WaveformInventory.Shape.init(of:))
    }
    let (rate, frameCount) = try source.extent()
    let whole = 0..<max(frameCount, 0)
    frames = (track.part?.part.frames ?? whole).clamped(to: whole)
    inventory = WaveformInventory(
      sampleRateInHz: rate, frameCount: Int64(frames.count), channelCount: track.format.channelCount ?? 1,
      mix: try shape(.waveform), channels: try shape(.channelWaveform))
  }

  package var path: BytePath? { source.track.files.first }

  package func energy() throws -> WaveformEnergy? {
    guard let product = try store.products.product(.waveformEnergy, ofRecording: source.track.recordingID) else {
      return nil
    }
    let energy = try WaveformEnergy(blob: product.bytes)
    return source.track.part == nil ? energy : energy.cut(to: frames)
  }

  package var absenceOfEnergy: RenderingError { .notStored(.waveformEnergy, path) }

  /// The selected peaks from the store; decoded if they are not stored.
  package func peaks(for selection: WaveformSelection) throws -> WaveformPeaks {
    switch selection {
    case .storedMix:
      if let mix = try stored(.waveform) { return mix }
    case .storedChannels:
      if let channels = try stored(.channelWaveform) { return channels }
      if inventory.channelCount == 1, let mix = try stored(.waveform) { return mix }
    case .decoded(let decoding): return try decoded(decoding)
    }
    return try decoded(
      WaveformDecoding(framesPerPoint: 256, resolution: .bits8, splitsChannels: selection == .storedChannels))
  }

  private func stored(_ kind: ProductKind) throws -> WaveformPeaks? {
    let peaks = try Self.peaks(kind, of: source, in: store)
    return source.track.part == nil ? peaks : peaks?.cut(to: frames)
  }

  private static func peaks(
    _ kind: ProductKind, of source: RecordingSource, in store: MediaStore
  ) throws -> WaveformPeaks? {
    try store.products.product(kind, ofRecording: source.track.recordingID).map {
      try WaveformPeaks(datBytes: $0.bytes)
    }
  }

  private func decoded(_ decoding: WaveformDecoding) throws -> WaveformPeaks {
    let reader = try source.makeReader()
    var analyzer = WaveformPeakAnalyzer(
      format: reader.format, channels: decoding.splitsChannels ? .separate(limit: 24) : .mixed,
      framesPerPoint: decoding.framesPerPoint, resolution: decoding.resolution)
    let wanted = decoding.frames ?? 0..<Int64(frames.count)
    let first = frames.lowerBound + min(wanted.lowerBound, Int64(frames.count))
    // Of a whole recording, frames beyond the end that was counted are decoded if they are there.
    let last =
      source.track.part == nil ? wanted.upperBound : min(frames.lowerBound + wanted.upperBound, frames.upperBound)
    try reader.forEachPiece(of: first..<max(first, last)) { analyzer.consume($0) }
    return analyzer.finish()
  }
}

/// The peaks of a `.dat` or `.json`, without the recording they were computed from.
package struct PeakDocument: WaveformSource {
  package enum Format: String, CaseIterable, Sendable {
    case dat, json
  }

  package let inventory: WaveformInventory
  /// How many points the header announces; a file that was cut has fewer.
  package let announcedPointCount: Int
  package let peaks: WaveformPeaks

  /// - Throws: `ByteReader.Failure` with the offset of the first invalid byte.
  package init(_ bytes: [UInt8], as format: Format) throws(ByteReader.Failure) {
    (peaks, announcedPointCount) =
      switch format {
      case .dat: try WaveformPeaks.read(dat: bytes)
      case .json: try WaveformPeaks.read(json: bytes)
      }
    inventory = WaveformInventory(of: peaks)
  }

  package var path: BytePath? { nil }

  package func energy() -> WaveformEnergy? { nil }

  package var absenceOfEnergy: RenderingError { .onlyPeaks }

  package func peaks(for selection: WaveformSelection) -> WaveformPeaks { peaks }
}
