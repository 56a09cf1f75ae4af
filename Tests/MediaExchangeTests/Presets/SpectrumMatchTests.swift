import Foundation
import MediaExchange
import MediaModel
import Testing
import TestSupport

/// Equalizers that are made from an example whose equalizer is known.
@Suite("Spectrum match")
struct SpectrumMatchTests {
  private static let rate = 44_100.0
  private static let binCount = 2_049
  private static let hertz = (0..<binCount).map { Double($0) * rate / 2 / Double(binCount - 1) }
  private static let points = stride(from: 0.0, through: log2(14_000 / 60.0), by: 1.0 / 12).map { 60 * exp2($0) }

  /// A spectrum that falls as music's does, with the lines of notes.
  private static func music(endingAt edge: Double = .infinity, gains: [Double]? = nil) -> SpectrumSummary {
    var random = RepeatableRandom(seed: 4)
    let levels = hertz.indices.map { bin -> Float in
      guard hertz[bin] < edge else { return -120 }
      let slope = -30 - 5 * log2(max(hertz[bin], 30) / 100)
      return Float(slope + Double.random(in: -4...4, using: &random) + (gains?[bin] ?? 0))
    }
    let bins = SpectrumSummary.Levels(meanInDB: levels, maximumInDB: levels)
    let none = SpectrumSummary.Levels(meanInDB: [], maximumInDB: [])
    return SpectrumSummary(sampleRateInHz: Int(rate), mix: none, channels: [], bins: bins)
  }

  private static func example() throws -> (equalizer: Equalizer, spectrum: SpectrumSummary) {
    let bands = try ["ls 120 4", "pk 2500 -3 q1", "hs 8k 3"].map { text throws(PresetError) in
      try EqualizerBand(text: text)
    }
    let equalizer = try Equalizer(bands: bands, gain: 0)
    return (equalizer, music(gains: equalizer.response(at: hertz.map { max($0, 1) }, sampleRate: rate)))
  }

  private func match(
    _ source: SpectrumSummary, to reference: SpectrumSummary, strength: Double = 1, cutoff: Double? = nil
  ) throws -> SpectrumMatch {
    try SpectrumMatch(
      #require(SpectralProfile(source, cutoffInHz: nil)), to: #require(SpectralProfile(reference, cutoffInHz: cutoff)),
      strength: strength, sampleRate: Self.rate, truePeak: -20)
  }

  /// Without the gain for all bands.
  private func response(_ equalizer: Equalizer) -> [Double] {
    equalizer.response(at: Self.points, sampleRate: Self.rate).map { $0 - equalizer.gain }
  }

  @Test func `nothing is changed between a spectrum and itself`() throws {
    let found = try match(Self.music(), to: Self.music())
    #expect(response(found.equalizer).allSatisfy { abs($0) <= 0.2 })
    #expect(found.equalizer.gain == 0)
  }

  @Test func `an equalizer is found again within 0.7 dB, up to one gain`() throws {
    let example = try Self.example()
    let found = try match(Self.music(), to: example.spectrum)
    let differences = zip(response(found.equalizer), response(example.equalizer)).map { $0 - $1 }.sorted()
    let gain = differences[differences.count / 2]
    #expect(differences.allSatisfy { abs($0 - gain) < 0.7 }, "\(differences.first ?? 0) \(differences.last ?? 0)")
    #expect(found.equalizer.bands.count <= 10 && found.residual.maximum < 0.7)
  }

  @Test func `half of the strength is half of the response`() throws {
    let example = try Self.example()
    let whole = response(try match(Self.music(), to: example.spectrum).equalizer)
    let half = response(try match(Self.music(), to: example.spectrum, strength: 0.5).equalizer)
    #expect(zip(whole, half).allSatisfy { abs($0 / 2 - $1) <= 0.3 })
    #expect((whole.map(abs).max() ?? 0) > 2)
  }

  @Test func `nothing is raised where a codec left nothing`() throws {
    // The reference has more treble, but ends at 16 kHz.
    let gains = Self.hertz.map { $0 > 4_000 ? 6.0 : 0 }
    let high = [14_400.0, 15_000, 16_000, 18_000, 20_000]
    for (source, reference, cutoff) in [
      (Self.music(), Self.music(endingAt: 16_000, gains: gains), 16_000.0),
      (Self.music(endingAt: 16_000), Self.music(gains: gains), nil),
    ] {
      let found = try SpectrumMatch(
        #require(SpectralProfile(source, cutoffInHz: cutoff == nil ? 16_000 : nil)),
        to: #require(SpectralProfile(reference, cutoffInHz: cutoff)), strength: 1, sampleRate: Self.rate, truePeak: -20)
      let gain = found.equalizer.gain
      let raised = found.equalizer.response(at: high, sampleRate: Self.rate).map { $0 - gain }
      #expect(raised.allSatisfy { $0 < 1 }, "\(raised)")
      #expect(found.equalizer.response(at: [8_000], sampleRate: Self.rate)[0] - gain > 3)
    }
  }

  @Test func `silence is refused`() throws {
    let levels = SpectrumSummary.Levels(
      meanInDB: [Float](repeating: -120, count: Self.binCount), maximumInDB: [Float](repeating: -120, count: 2_049))
    let none = SpectrumSummary.Levels(meanInDB: [], maximumInDB: [])
    #expect(
      SpectralProfile(
        SpectrumSummary(sampleRateInHz: 44_100, mix: none, channels: [], bins: levels), cutoffInHz: nil) == nil)
    #expect(SpectralProfile(meanOf: []) == nil)
  }

  @Test func `corrections are limited, and the gain keeps the loudness and the peak`() throws {
    let gains = Self.hertz.map { $0 < 150 ? 30.0 : 0 }
    let found = try match(Self.music(), to: Self.music(gains: gains))
    // No band is over 9 dB; beside a steep edge they add up to a little more.
    #expect(found.equalizer.bands.count <= 10 && found.equalizer.bands.allSatisfy { abs($0.gain) <= 9 })
    #expect(response(found.equalizer).allSatisfy { abs($0) < 12 })
    #expect(found.largestDifferenceInDB > 20 && found.equalizer.gain < 0)
    let loud = try SpectrumMatch(
      #require(SpectralProfile(Self.music(), cutoffInHz: nil)),
      to: #require(SpectralProfile(Self.music(gains: gains), cutoffInHz: nil)), strength: 1, sampleRate: Self.rate,
      truePeak: 0)
    #expect(loud.equalizer.peakResponse(sampleRate: Self.rate) <= 0.01)
  }

  @Test func `a curve is read from text, without what is no number`() throws {
    let text = "* made up\n20 3\n1000, 0\nnan 5\n2000;inf\nabc\n20000\t-3 7\nGraphicEQ: 100 2.5; 200 2\n"
    let curve = try SpectralProfile(curve: text)
    let source = try #require(SpectralProfile(Self.music(), cutoffInHz: nil))
    let found = try SpectrumMatch(source, to: curve, strength: 1, sampleRate: Self.rate, truePeak: -20)
    #expect(!found.equalizer.bands.isEmpty)
    #expect(throws: PresetError.self) { try SpectralProfile(curve: "1000 0") }
    #expect(throws: PresetError.self) { try SpectralProfile(curve: "nan nan\ninf 3\n-20 4") }
    let long = (1...30_000).map { "\($0) 0" }.joined(separator: "\n")
    #expect(throws: PresetError.self) { try SpectralProfile(curve: long) }
  }
}
