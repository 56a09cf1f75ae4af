package import Base

/// When something begins in a recording, and which tempi that suggests.
///
/// The onsets are kept, so that tempo and beats can be decided again, in another range or by a better rule, without
/// the sound.
package struct RhythmSummary: Hashable, Sendable {
  /// A tempo at which onsets repeat.
  package struct Candidate: Hashable, Sendable {
    package var beatsPerMinute: Float
    /// How much of the onsets repeats at beats of this tempo: 0 nothing, 1 everything.
    package var strength: Float
    /// The same at half a beat: high where this is half the tempo that one would tap.
    package var offbeatStrength: Float

    package init(beatsPerMinute: Float, strength: Float, offbeatStrength: Float) {
      self.beatsPerMinute = beatsPerMinute
      self.strength = strength
      self.offbeatStrength = offbeatStrength
    }
  }

  package var columnsPerSecond: Double
  /// Strongest first; empty if nothing repeats.
  package var candidates: [Candidate]
  /// The share of the recording, in windows of 12 s, whose own tempo is that of the strongest candidate or a simple
  /// multiple of it: `0...1`.
  package var stability: Float
  /// Of all bands, in steps of ``onsetStep``, at most 255.
  package var onsets: [UInt8]
  /// Of the bands below 200 Hz; as many.
  package var lowOnsets: [UInt8]

  package init(
    columnsPerSecond: Double, candidates: [Candidate], stability: Float, onsets: [UInt8], lowOnsets: [UInt8]
  ) {
    self.columnsPerSecond = columnsPerSecond
    self.candidates = candidates
    self.stability = stability
    self.onsets = onsets
    self.lowOnsets = lowOnsets
  }

  /// A rise of a band by 1 dB, averaged over the bands, is this many steps.
  package static let onsetStep: Float = 16
}

extension RhythmSummary {
  /// Layout 1: `f64` columns per second, `f32` stability, `u8` candidates; of each candidate three `f32`: beats per
  /// minute, strength, strength of the offbeat; `u32` columns, the onset of each column, the low onset of each column.
  package var blob: [UInt8] {
    var writer = ByteWriter(capacity: 17 + 12 * candidates.count + 2 * onsets.count)
    writer.append(columnsPerSecond)
    writer.append(stability)
    writer.append(UInt8(candidates.count))
    for candidate in candidates {
      writer.append(candidate.beatsPerMinute)
      writer.append(candidate.strength)
      writer.append(candidate.offbeatStrength)
    }
    writer.append(UInt32(onsets.count))
    writer.append(raw: onsets)
    writer.append(raw: lowOnsets)
    return writer.bytes
  }

  package init(blob: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(blob)
    let columnsPerSecond = try reader.readDouble()
    let stability = Float(bitPattern: try reader.read(UInt32.self))
    guard columnsPerSecond.isFinite, columnsPerSecond > 0, (0...1).contains(stability) else {
      throw reader.failure("not the header of a rhythm")
    }
    var candidates: [Candidate] = []
    for _ in 0..<(try reader.read(UInt8.self)) {
      var numbers: [Float] = []
      for _ in 0..<3 { numbers.append(Float(bitPattern: try reader.read(UInt32.self))) }
      guard numbers.allSatisfy(\.isFinite), numbers[0] > 0 else { throw reader.failure("not a tempo") }
      candidates.append(
        Candidate(beatsPerMinute: numbers[0], strength: numbers[1], offbeatStrength: numbers[2]))
    }
    let count = Int(try reader.read(UInt32.self))
    let onsets = Array(try reader.readBytes(count))
    let lowOnsets = Array(try reader.readBytes(count))
    self.init(
      columnsPerSecond: columnsPerSecond, candidates: candidates, stability: stability, onsets: onsets,
      lowOnsets: lowOnsets)
  }
}
