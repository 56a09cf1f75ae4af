package import MediaModel

/// Finds out whether samples are the frames of another codec: DTS on a disc or in FLAC, or bursts for a digital output.
///
/// As samples they are noise near full scale. Their sync words come back at even distances, which no sound does. Only the
/// first ``longestSeconds`` behind silence at the start are looked at.
package struct CodedSoundDetector {
  private static let longestSeconds = 20
  /// No frame is shorter, or longer, counted in samples of both channels.
  private static let distances = 64...65_536
  private static let provingCount = 4

  /// Pairs of words of 16 bits: DTS (ETSI TS 102 114, section 5.3) with 16 and 14 bits in either order of bytes, and the
  /// preamble of a burst (IEC 61937-1, section 6.1.7).
  private static let syncs: [(first: Float, second: Float)] = [
    (0x7FFE, 0x8001), (0xFE7F, 0x0180), (0x1FFF, 0xE800), (0xFF1F, 0x00E8), (0xF872, 0x4E1F),
  ].map { (scaled($0.0), scaled($0.1)) }

  private static func scaled(_ word: UInt16) -> Float { Float(Int16(bitPattern: word)) / 32_768 }

  /// Whether frames were found.
  package private(set) var isFound = false
  /// How many more samples are looked at.
  private var remainingCount: Int
  private var position = 0
  private var last: Float = 0
  private var hasBegun = false
  private var lastSync: (index: Int, position: Int)?
  private var distance = 0
  private var count = 0

  package init(format: AudioFormat) {
    remainingCount = format.channelCount == 2 ? 2 * Self.longestSeconds * format.sampleRateInHz : 0
  }

  /// Adds the next interleaved samples.
  package mutating func consume(_ samples: Span<Float>) {
    guard remainingCount > 0 else { return }
    var index = 0
    if !hasBegun {
      while index < samples.count, samples[index] == 0 { index += 1 }
      position += index
      hasBegun = index < samples.count
    }
    let end = min(samples.count, index + remainingCount)
    remainingCount -= end - index
    samples.withUnsafeBufferPointer { samples in
      while index < end {
        // Hardly any block has one of the words.
        if end - index >= 8, !Self.hasSync(samples, at: index) {
          last = samples[index + 7]
          index += 8
          position += 8
          continue
        }
        let blockEnd = min(end, index + 8)
        while index < blockEnd {
          look(at: samples[index])
          index += 1
          position += 1
        }
      }
    }
  }

  /// Whether one of eight samples is the second word of a pair.
  private static func hasSync(_ samples: UnsafeBufferPointer<Float>, at index: Int) -> Bool {
    guard let bytes = UnsafeRawPointer(samples.baseAddress) else { return false }
    let block = (bytes + index * MemoryLayout<Float>.stride).loadUnaligned(as: SIMD8<Float>.self)
    var found = block .== syncs[0].second
    for number in 1..<syncs.count { found = found .| (block .== syncs[number].second) }
    return any(found)
  }

  private mutating func look(at sample: Float) {
    for (number, sync) in Self.syncs.enumerated() where sample == sync.second && last == sync.first { note(number) }
    last = sample
  }

  private mutating func note(_ number: Int) {
    let found = lastSync.map { $0.index == number ? position - $0.position : 0 } ?? 0
    lastSync = (number, position)
    count = found == distance && Self.distances.contains(found) ? count + 1 : 2
    distance = found
    guard count >= Self.provingCount else { return }
    isFound = true
    remainingCount = 0
  }
}
