internal import Base
internal import Glibc
internal import MediaModel

/// The tracks of a cover that have sound, as rings read them.
struct EngravedSound {
  /// What is heard in a part of a ring.
  struct Span: Hashable {
    /// `0...1`, see ``EngravedLevels``.
    var share: Double
    /// Of the peak; 0 if no peaks are known.
    var peakShare: Double
    var mixture: BandMixture
  }

  private struct Track {
    var durationInSeconds: Double
    /// One point a column.
    var energy: WaveformEnergy
    var peaks: [UInt8]
  }

  /// A track without a column above it is silent.
  static let silenceInDB: Float = -70
  /// By how much a peak is lowered before it is compared with mean levels.
  private static let peakOffsetInDB = -9.0

  private let tracks: [Track]
  private let levels: EngravedLevels

  init(_ tracks: [EngravedCover.Track]) {
    self.tracks = tracks.filter(\.isAudible).map { track in
      Track(
        durationInSeconds: EngravingLayout.bounded(track.durationInSeconds),
        energy: WaveformEnergy(sampleRateInHz: 1, framesPerPoint: 1, points: track.energy),
        peaks: track.peaks.count == track.energy.count ? track.peaks : [])
    }
    levels = EngravedLevels(self.tracks.lazy.flatMap { $0.energy.points }.map(\.rms))
  }

  var durations: [Double] { tracks.map(\.durationInSeconds) }

  func columnCount(of range: Range<Int>) -> Int { tracks[range].reduce(0) { $0 + $1.energy.points.count } }

  /// The means of equal parts of some tracks that are played one after the other.
  ///
  /// A part that two tracks share is that of the one in its middle.
  func spans(of range: Range<Int>, count: Int) -> [Span] {
    var spans: [Span] = []
    spans.reserveCapacity(count)
    let total = tracks[range].reduce(0) { $0 + $1.durationInSeconds }
    let step = total / Double(count)
    var (index, start) = (range.lowerBound, 0.0)
    for part in 0..<count {
      let middle = (Double(part) + 0.5) * step
      while index + 1 < range.upperBound, middle >= start + tracks[index].durationInSeconds {
        start += tracks[index].durationInSeconds
        index += 1
      }
      let duration = tracks[index].durationInSeconds
      spans.append(
        span(
          of: tracks[index], from: (Double(part) * step - start) / duration,
          to: (Double(part + 1) * step - start) / duration))
    }
    return spans
  }

  private func span(of track: Track, from start: Double, to end: Double) -> Span {
    let count = track.energy.points.count
    let first = min(max(Int(start * Double(count)), 0), count - 1)
    let columns = first..<min(max(Int(end * Double(count)), first + 1), count)
    let mean = BandEnergy(track.energy, frames: columns)
    let peak = track.peaks.isEmpty ? 0 : track.peaks[columns].max() ?? 0
    return Span(
      share: levels.share(ofLevel: Decibels.level(ofPower: mean.whole)),
      peakShare: peak > 0 ? levels.share(ofLevel: Double(DecibelStep.decode(peak)) + Self.peakOffsetInDB) : 0,
      mixture: BandMixture(mean))
  }
}

extension EngravedCover.Track {
  /// Whether it gets a place in a ring.
  package var isAudible: Bool { energy.contains { DecibelStep.decode($0.rms) > EngravedSound.silenceInDB } }
}

/// Which levels of an album are drawn thin, and which as wide as there is room.
package struct EngravedLevels: Hashable {
  private static let smallestRangeInDB = 12.0

  /// Drawn at full width, as everything above.
  package let highInDB: Double
  /// Drawn at the least width, as everything below.
  package let lowInDB: Double

  /// - Parameter steps: Levels of columns as ``DecibelStep``; those of silence do not count.
  /// - Complexity: O(n), without a sort.
  package init(_ steps: some Sequence<UInt8>) {
    var counts = [Int](repeating: 0, count: 256)
    for step in steps { counts[Int(step)] += 1 }
    for step in UInt8.min...UInt8.max where DecibelStep.decode(step) <= EngravedSound.silenceInDB {
      counts[Int(step)] = 0
    }
    let total = counts.reduce(0, +)
    func level(at place: Double) -> Double {
      var remaining = Int(Double(total) * place)
      for step in UInt8.min...UInt8.max {
        remaining -= counts[Int(step)]
        if remaining < 0 { return Double(DecibelStep.decode(step)) }
      }
      return 0
    }
    highInDB = level(at: 0.98)
    lowInDB = min(highInDB - Self.smallestRangeInDB, level(at: 0.08))
  }

  /// How much of its width a level gets, `0...1`.
  package func share(ofLevel level: Double) -> Double {
    pow(max(0, min((level - lowInDB) / (highInDB - lowInDB), 1)), 1.25)
  }
}
