internal import MediaModel
internal import Synchronization

/// Stored waveforms that were asked for recently, at the zooms at which they were: tiles are cut from them without the library.
final class RecentWaveforms: Sendable {
  struct Key: Hashable {
    /// Of the library: what is known of an earlier one is forgotten in time.
    let revision: String
    let recordingID: Int64
    let framesPerPoint: Int64
    let resolution: WaveformPeaks.Resolution
    let splitsChannels: Bool
  }

  private struct Entry {
    let waveform: EncodedWaveform
    var lastUse: Int
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var byteCount = 0
    var useCount = 0
  }

  /// 12 MiB: some ten hours of music.
  private static let capacityInBytes = 12 << 20

  private let state = Mutex(State())

  /// nil for a waveform that nobody has asked for recently.
  func waveform(for key: Key) -> EncodedWaveform? {
    state.withLock { state in
      state.useCount += 1
      state.entries[key]?.lastUse = state.useCount
      return state.entries[key]?.waveform
    }
  }

  /// Keeps a waveform; those that were not asked for the longest make room.
  ///
  /// - Complexity: O(*n*) for *n* waveforms, some hundreds, if there is no room.
  func note(_ waveform: EncodedWaveform, for key: Key) {
    state.withLock { state in
      guard waveform.byteCount <= Self.capacityInBytes, state.entries[key] == nil else { return }
      state.useCount += 1
      state.entries[key] = Entry(waveform: waveform, lastUse: state.useCount)
      state.byteCount += waveform.byteCount
      while state.byteCount > Self.capacityInBytes,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.byteCount -= oldest.value.waveform.byteCount
        state.entries[oldest.key] = nil
      }
    }
  }
}

/// A waveform as the bytes of a .dat, of which any part is one as well.
struct EncodedWaveform: Sendable {
  private let bytes: [UInt8]
  private let headerByteCount: Int
  private let pointByteCount: Int
  private let header: @Sendable (_ pointCount: Int) -> [UInt8]
  /// Those of ``RecordingSource/damageHeaders``.
  let damageHeaders: [(String, String)]

  init(_ peaks: WaveformPeaks, damageHeaders: [(String, String)] = []) {
    self.damageHeaders = damageHeaders
    bytes = peaks.datBytes
    pointByteCount = 2 * peaks.channelCount * peaks.resolution.rawValue / 8
    headerByteCount = bytes.count - peaks.pointCount * pointByteCount
    var shape = peaks
    shape.values = []
    header = { [shape] in
      WaveformPeaks.datHeader(
        sampleRateInHz: shape.sampleRateInHz, framesPerPoint: shape.framesPerPoint, channelCount: shape.channelCount,
        resolution: shape.resolution, pointCount: $0)
    }
  }

  /// An estimate of what it takes in memory.
  var byteCount: Int { bytes.count + 256 }

  /// Some of the points, as far as they exist; nil for all from the first one.
  func part(from first: Int64, count: Int64?) -> [UInt8] {
    guard first > 0 || count != nil else { return bytes }
    let total = Int64((bytes.count - headerByteCount) / pointByteCount)
    let start = min(first, total)
    let end = start + min(count ?? total, total - start)
    let points = headerByteCount + Int(start) * pointByteCount..<headerByteCount + Int(end) * pointByteCount
    return header(Int(end - start)) + bytes[points]
  }
}
