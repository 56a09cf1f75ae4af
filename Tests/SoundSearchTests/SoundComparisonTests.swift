import AudioAnalysis
import Foundation
import MediaModel
import TestSupport
import Testing

@testable import SoundSearch

// Faults: 226
/// Made-up music that is damaged by a recipe: what the recipe did is the truth.
struct SoundComparisonTests {
  private static let rate = 22_050
  private static let seconds = 24.0

  /// Two channels with some tones in common.
  private static let music = Stereo(tune: 1)
  private static let original = music.stored

  struct Stereo {
    var left: [Float]
    var right: [Float]
    var rate = SoundComparisonTests.rate

    init(tune: Int) {
      let seconds = SoundComparisonTests.seconds
      let common = Signal.chords(seconds: seconds, sampleRateInHz: SoundComparisonTests.rate, channel: 30 * tune)
      let own = Signal.chords(seconds: seconds, sampleRateInHz: SoundComparisonTests.rate, channel: 30 * tune + 1)
      left = common
      right = zip(common, own).map { 0.6 * $0 + 0.4 * $1 }
    }

    /// The same change in both channels.
    func changing(from start: Double, for length: Double, _ change: (Int, Float) -> Float) -> Stereo {
      var changed = self
      let first = Int(start * Double(rate))
      for frame in first..<min(left.count, first + Int(length * Double(rate))) {
        changed.left[frame] = change(frame, left[frame])
        changed.right[frame] = change(frame, right[frame])
      }
      return changed
    }

    func map(_ change: ([Float]) -> [Float]) -> Stereo {
      var changed = self
      changed.left = change(left)
      changed.right = change(right)
      return changed
    }

    var stored: StoredSound? {
      var samples: [Float] = []
      for (left, right) in zip(left, right) { samples += [left, right] }
      var analyzer = TrackAnalyzer(
        format: AudioFormat(sampleRateInHz: rate, channelCount: 2),
        kinds: [.channelWaveform, .waveformEnergy, .spectrogram])
      analyzer.consume(samples.span)
      let products = analyzer.finish().products
      func bytes(_ kind: ProductKind) -> [UInt8] { products.first { $0.kind == kind }?.bytes ?? [] }
      guard let energy = try? WaveformEnergy(blob: bytes(.waveformEnergy)),
        let peaks = try? WaveformPeaks(datBytes: bytes(.channelWaveform)),
        let spectrum = try? SpectrumGrid(blob: bytes(.spectrogram))
      else { return nil }
      return StoredSound(
        energy: energy, peaks: peaks, spectrum: spectrum, durationInSeconds: Double(left.count) / Double(rate))
    }
  }

  enum Damage: CaseIterable {
    case zeros60, zeros1000, everySecondPiece, endZero, softer, cut, cutAndPadded, otherMusic, deadChannel
    case deadChannelForSeconds, noise, noiseOnTop, part, equalizer, lowPass, compressor, clipped

    /// Whether the damaged one has sound of its own, so that neither may be removed for the other.
    var hasOwnSound: Bool {
      switch self {
      case .otherMusic, .noise, .noiseOnTop, .equalizer, .compressor, .clipped: true
      default: false
      }
    }

    func applied(to music: Stereo) -> Stereo {
      let other = Stereo(tune: 9)
      let noise = Signal.whiteNoise(frameCount: music.left.count, rms: 0.2, seed: 5)
      let frame = { (second: Double) in Int(second * Double(music.rate)) }
      switch self {
      case .zeros60: return music.changing(from: 7.13, for: 0.06) { _, _ in 0 }
      case .zeros1000: return music.changing(from: 7.13, for: 1) { _, _ in 0 }
      case .everySecondPiece:
        return music.changing(from: 0, for: 99) { $0 / frame(1.5) % 2 == 1 ? 0 : $1 }
      case .endZero: return music.changing(from: 21, for: 99) { _, _ in 0 }
      case .softer: return music.changing(from: 9, for: 2) { $1 * 0.2 }
      case .cut: return music.map { Array($0[..<frame(8)] + $0[frame(8.1)...]) }
      case .cutAndPadded:
        return music.map { Array($0[..<frame(8)] + $0[frame(10)...]) + [Float](repeating: 0, count: frame(2)) }
      case .otherMusic: return music.changing(from: 8, for: 4) { frame, _ in other.left[frame] }
      case .deadChannel:
        var changed = music
        changed.right = [Float](repeating: 0, count: music.right.count)
        return changed
      case .deadChannelForSeconds:
        let changed = music.changing(from: 8, for: 2) { _, _ in 0 }
        return Stereo(music.left, changed.right)
      case .noise: return music.changing(from: 8, for: 0.5) { frame, _ in noise[frame] }
      case .noiseOnTop: return music.changing(from: 8, for: 0.5) { $1 + noise[$0] }
      case .part: return music.map { Array($0[..<frame(22)]) }
      case .equalizer:
        return music.map { line in
          var last: Float = 0
          return line.map { sample in
            defer { last = sample }
            return 0.3 * (sample + 2 * (sample - last))
          }
        }
      case .lowPass:
        return music.map { line in
          var levels = [Float](repeating: 0, count: 4)
          return line.map { sample in
            var value = sample
            for index in levels.indices {
              levels[index] += 0.15 * (value - levels[index])
              value = levels[index]
            }
            return value
          }
        }
      case .compressor:
        // Half of the music is at a quarter of the level of the other; then all is equally loud.
        return music.changing(from: 12, for: 99) { $1 * 0.3 }
      case .clipped: return music.map { $0.map { max(-0.12, min(0.12, $0)) } }
      }
    }
  }

  private func comparison(keeping kept: StoredSound?, removing other: StoredSound?) throws -> SoundComparison {
    SoundComparison(keeping: try #require(kept), removing: try #require(other), near: 0)
  }

  @Test(arguments: Damage.allCases)
  func `what is damaged never stands for what is intact`(damage: Damage) throws {
    let damaged = damage.applied(to: Self.music).stored
    #expect(try !comparison(keeping: damaged, removing: Self.original).isComplete)
    if damage.hasOwnSound { #expect(try !comparison(keeping: Self.original, removing: damaged).isComplete) }
  }

  @Test(arguments: [Damage.zeros1000, .everySecondPiece, .endZero])
  func `what is intact stands for what is silent in its place`(damage: Damage) throws {
    let damaged = damage.applied(to: Self.music).stored
    let differences = try comparison(keeping: Self.original, removing: damaged).differences
    #expect(differences.isEmpty, "\(differences)")
    #expect(try comparison(keeping: damaged, removing: Self.original).missingSeconds > 0.8)
  }

  enum Copy: CaseIterable {
    case same, softer, delayed, cutSilence, noisy

    func applied(to music: Stereo) -> Stereo {
      let noise = Signal.whiteNoise(frameCount: music.left.count, rms: 0.000_3, seed: 6)
      switch self {
      case .same: return music
      case .softer: return music.map { $0.map { $0 * 0.4 } }
      case .delayed: return music.map { [Float](repeating: 0, count: 777) + $0 }
      case .cutSilence: return music.map { $0 + [Float](repeating: 0, count: 40_000) }
      case .noisy: return music.changing(from: 0, for: 99) { $1 + noise[$0] }
      }
    }
  }

  @Test(arguments: Copy.allCases)
  func `an intact copy stands for the other in both directions`(copy: Copy) throws {
    let copied = copy.applied(to: Self.music).stored
    for (kept, other) in [(copied, Self.original), (Self.original, copied)] {
      let differences = try comparison(keeping: kept, removing: other).differences
      #expect(differences.isEmpty, "\(differences)")
    }
  }

  @Test func `the offset is found to a part of a point`() throws {
    let delayed = Copy.delayed.applied(to: Self.music).stored
    let offset = try comparison(keeping: delayed, removing: Self.original).offsetInSeconds
    #expect(abs(offset - 777.0 / Double(Self.rate)) < 0.25 * 1_024 / Double(Self.rate))
  }

  @Test func `the longest silence is found, wherever it is`() throws {
    #expect(try #require(Self.original).longestSilenceInSeconds == 0)
    for damage in [Damage.zeros1000, .endZero] {
      let silence = try #require(damage.applied(to: Self.music).stored).longestSilenceInSeconds
      #expect((damage == .endZero ? 2.9...3.1 : 0.9...1.1).contains(silence))
    }
  }

  @Test func `products with impossible numbers are not compared`() {
    let energy = WaveformEnergy(
      sampleRateInHz: 1, framesPerPoint: 1 << 30, points: [.init(rms: 200, low: 0, mid: 0, high: 0)])
    let peaks = WaveformPeaks(
      sampleRateInHz: 44_100, framesPerPoint: 512, channelCount: 1, resolution: .bits8, values: [0, 0])
    let spectrum = SpectrumGrid(columnsPerSecond: 1e-300, bandCount: 1, steps: [0])
    #expect(StoredSound(energy: energy, peaks: peaks, spectrum: spectrum, durationInSeconds: 1e18) == nil)
  }
}

extension SoundComparisonTests.Stereo {
  init(_ left: [Float], _ right: [Float]) {
    self.init(tune: 1)
    self.left = left
    self.right = right
  }
}
