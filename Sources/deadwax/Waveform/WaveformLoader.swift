internal import AudioDecoding
internal import MediaExport
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// What the library holds of one track's waveform, and the way to what it does not hold.
struct WaveformLoader: WaveformSource {
  let track: TrackReference
  let inventory: WaveformInventory
  private let cache: SegmentCache
  private let mix: WaveformPeaks?
  private let channels: WaveformPeaks?
  private let energyBytes: [UInt8]?

  /// - Parameter cache: what is decoded goes through it.
  init(track: TrackReference, store: MediaStore, cache: SegmentCache) throws {
    self.track = track
    self.cache = cache
    func peaks(_ kind: ProductKind) throws -> WaveformPeaks? {
      try store.product(kind, ofRecording: track.recordingID).map { try WaveformPeaks(datBytes: $0.bytes) }
    }
    mix = try peaks(.waveform)
    channels = try peaks(.channelWaveform)
    energyBytes = try store.product(.waveformEnergy, ofRecording: track.recordingID)?.bytes
    guard let rate = track.format.sampleRateInHz, let frameCount = track.format.decodedFrameCount else {
      throw TrackFailure.noSound(track.files.first)
    }
    inventory = WaveformInventory(
      sampleRateInHz: rate, frameCount: frameCount, channelCount: track.format.channelCount ?? 1,
      mix: mix.map(WaveformInventory.Shape.init(of:)), channels: channels.map(WaveformInventory.Shape.init(of:)))
  }

  var inputs: [BytePath] { track.files }

  func energy() throws -> WaveformEnergy? { try energyBytes.map { try WaveformEnergy(blob: $0) } }

  var absenceOfEnergy: any Error { TrackFailure.notStored(.waveformEnergy, track.files.first ?? BytePath("")) }

  /// The peaks that a selection names: from the store, else decoded from the first file that is there.
  func peaks(for selection: WaveformSelection) throws -> WaveformPeaks {
    switch selection {
    case .storedMix: if let mix { return mix }
    case .storedChannels: if let channels = channels ?? (inventory.channelCount == 1 ? mix : nil) { return channels }
    case .decoded(let decoding): return try decoded(decoding)
    }
    return try decoded(
      WaveformDecoding(framesPerPoint: 256, resolution: .bits8, splitsChannels: selection == .storedChannels))
  }

  private func decoded(_ decoding: WaveformDecoding) throws -> WaveformPeaks {
    try PeakReader.peaks(
      from: try track.makeReader(cache: cache),
      PeakRequest(
        framesPerPoint: decoding.framesPerPoint, resolution: decoding.resolution,
        splitsChannels: decoding.splitsChannels,
        frames: decoding.frames ?? 0..<max(inventory.frameCount, 0)))
  }
}
