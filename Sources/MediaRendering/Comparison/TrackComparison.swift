internal import AudioAnalysis
internal import Base
package import DecodingService
package import LibraryTracks
package import MasterComparison
package import MediaDrawing
package import MediaModel
package import MediaStore

/// Two tracks, compared sample by sample and by their dynamics.
package struct TrackComparison: Sendable {
  /// What is known of one of them.
  package struct Side: Sendable {
    package let track: TrackReference
    package let dynamics: DynamicRange?
    /// The share of samples in runs at the ceiling, `0...1`.
    package let shareAtCeiling: Double?
    /// In LUFS, and what follows from it; nil for silence, and for parts of files.
    package let loudnessInLUFS: Double?
    package let loudnessRangeInLU: Double?
    package let shortTermMaximumInLUFS: Double?
    package let truePeakInDBTP: Double?
    package let samplePeakInDBFS: Double?

    /// The peak to loudness ratio: how far the true peak is above the loudness, in dB.
    package var peakToLoudnessInDB: Double? {
      guard let truePeakInDBTP, let loudnessInLUFS else { return nil }
      return truePeakInDBTP - loudnessInLUFS
    }
  }

  /// A track and the library that knows it.
  package struct Source {
    package let track: TrackReference
    package let store: MediaStore

    package init(_ track: TrackReference, in store: MediaStore) {
      self.track = track
      self.store = store
    }
  }

  package let first: Side
  package let second: Side
  package let comparison: ComparedMasters

  /// The products that are needed of a file outside the library.
  package static let products: Set<ProductKind> = [.measures, .waveformEnergy]

  /// - Parameters:
  ///   - cache: What is decoded goes through it.
  ///   - begin: See `MasterComparer`.
  /// - Throws: ``RenderingError/noRecording(_:)`` if one of them was not decoded, and what opening and reading throw.
  package init(
    _ first: Source, _ second: Source, cache: SegmentCache,
    writing begin: ((MasterComparer.DifferenceFormat) throws -> MasterComparer.Writer)? = nil
  ) throws {
    let signals = (try TrackSignal(first.track, cache: cache), try TrackSignal(second.track, cache: cache))
    let comparer = MasterComparer(
      try Self.side(signals.0, first), try Self.side(signals.1, second))
    comparison = try comparer.compare(writing: begin)
    self.first = try Side(first, comparison.dynamics.first)
    self.second = try Side(second, comparison.dynamics.second)
  }

  private static func side(_ signal: TrackSignal, _ source: Source) throws -> ComparedMasters.Side {
    let format = source.track.format
    let frames = Int(signal.frames.lowerBound)..<Int(signal.frames.upperBound)
    let levels: LevelCurve
    if let product = try source.store.products.product(.waveformEnergy, ofRecording: source.track.recordingID),
      let energy = try? WaveformEnergy(blob: product.bytes), energy.sampleRateInHz > 0, energy.framesPerPoint > 0
    {
      levels = LevelCurve(energy, frames: frames)
    } else {
      throw RenderingError.notStored(.waveformEnergy, source.track.files.first)
    }
    let isLossless = format.codec?.isLossless == true
    return ComparedMasters.Side(signal, levels: levels, bits: isLossless ? format.bitsPerSample : nil)
  }
}

extension TrackComparison.Side {
  fileprivate init(_ source: TrackComparison.Source, _ dynamics: MeasuredDynamics?) throws {
    track = source.track
    self.dynamics = dynamics?.range
    shareAtCeiling = dynamics?.shareAtCeiling
    let measures =
      source.track.part == nil ? try source.store.products.measures(ofRecording: source.track.recordingID) : nil
    loudnessInLUFS = measures?.integratedLoudnessInLUFS
    loudnessRangeInLU = measures?.loudnessRangeInLU
    shortTermMaximumInLUFS = measures?.shortTermMaximumInLUFS
    truePeakInDBTP = measures?.truePeakInDBTP
    samplePeakInDBFS = dynamics.flatMap { $0.samplePeak > 0 ? Decibels.level(ofAmplitude: $0.samplePeak) : nil }
  }
}

extension TrackComparison {
  private static let width = 960
  private static let height = 560

  /// What is left of each third octave, and the gain over time.
  package var picture: ComparisonPicture {
    get throws {
      ComparisonPicture(
        size: try PictureSize(width: Self.width, height: Self.height),
        bands: comparison.bands.map {
          ComparisonPicture.Band(
            centerInHz: $0.centerInHz, afterGainInDB: $0.afterGainInDB, afterFilterInDB: $0.afterFilterInDB,
            filterInDB: $0.filterInDB)
        }, gains: comparison.gains,
        title: "\(first.track.label) / \(second.track.label): \(comparison.relation.rawValue)")
    }
  }
}

/// The decoded sound of a track, or of the part that is meant.
private final class TrackSignal: ComparedSignal {
  let frames: Range<Int64>
  private let reader: SegmentReader

  init(_ track: TrackReference, cache: SegmentCache) throws {
    let source = RecordingSource(track, cache: cache)
    frames = try TrackPart().frames(of: source.readableTrack)
    reader = try source.makeReader()
  }

  var sampleRateInHz: Int { reader.format.sampleRateInHz }
  var channelCount: Int { reader.format.channelCount }
  var frameCount: Int { frames.count }

  func read(_ range: Range<Int>) throws -> [Float] {
    let first = frames.lowerBound + Int64(range.lowerBound)
    return try reader.samples(of: first..<min(frames.lowerBound + Int64(range.upperBound), frames.upperBound))
  }
}
