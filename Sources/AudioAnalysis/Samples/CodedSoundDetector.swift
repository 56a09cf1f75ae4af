package import MediaModel

/// Finds out whether samples are the frames of another codec: DTS or AC-3 on a disc or in FLAC, or bursts for a digital output.
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

  /// The sync word of AC-3 in either order of bytes (ETSI TS 102 366, section 4.3). Two words behind it the length of its
  /// frame is said, at which the next one must begin.
  private static let surroundSyncs: [(word: Float, isSwapped: Bool)] = [
    (scaled(0x0B77), false), (scaled(0x770B), true),
  ]

  private static func scaled(_ word: UInt16) -> Float { Float(Int16(bitPattern: word)) / 32_768 }

  /// Whether frames were found.
  package private(set) var isFound = false
  /// How many more samples are looked at.
  private var remainingCount: Int
  private var position = 0
  private var last: Float = 0
  private var hasBegun = false
  /// Of each sync, because bursts have the one of what is in them, too.
  private var chains = [Chain](repeating: Chain(), count: syncs.count)
  /// A frame of AC-3 whose length is not known yet, and where others end.
  private var opened: (position: Int, isSwapped: Bool)?
  private var ends: [(position: Int, count: Int)] = []

  private struct Chain {
    var position: Int?
    var distance = 0
    var count = 0
  }

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
        if end - index >= 8, opened == nil, !Self.hasSync(samples, at: index) {
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

  /// Whether one of eight samples is the second word of a pair, or the word of AC-3.
  private static func hasSync(_ samples: UnsafeBufferPointer<Float>, at index: Int) -> Bool {
    guard let bytes = UnsafeRawPointer(samples.baseAddress) else { return false }
    let block = (bytes + index * MemoryLayout<Float>.stride).loadUnaligned(as: SIMD8<Float>.self)
    var found = block .== syncs[0].second
    for number in 1..<syncs.count { found = found .| (block .== syncs[number].second) }
    for sync in surroundSyncs { found = found .| (block .== sync.word) }
    return any(found)
  }

  private mutating func look(at sample: Float) {
    for (number, sync) in Self.syncs.enumerated() where sample == sync.second && last == sync.first { note(number) }
    if let opened, position == opened.position + 2 { noteLength(sample, opened) }
    for sync in Self.surroundSyncs where sample == sync.word { opened = (position, sync.isSwapped) }
    last = sample
  }

  private mutating func note(_ number: Int) {
    let found = chains[number].position.map { position - $0 } ?? 0
    let isEven = found == chains[number].distance && Self.distances.contains(found)
    chains[number] = Chain(position: position, distance: found, count: isEven ? chains[number].count + 1 : 2)
    if chains[number].count >= Self.provingCount { prove() }
  }

  /// - Parameter sample: with the rate and the code of the frame's length.
  private mutating func noteLength(_ sample: Float, _ frame: (position: Int, isSwapped: Bool)) {
    opened = nil
    let word = UInt16(bitPattern: Int16(exactly: (sample * 32_768).rounded()) ?? 0)
    let code = frame.isSwapped ? word & 0xFF : word >> 8
    guard let wordCount = AC3FrameLength.wordCount(rateCode: Int(code >> 6), sizeCode: Int(code & 0x3F)) else { return }
    let before = ends.first { $0.position == frame.position }?.count ?? 0
    ends.removeAll { $0.position <= frame.position }
    if ends.count < Self.mostEnds { ends.append((frame.position + wordCount, before + 1)) }
    if before + 1 >= Self.provingCount { prove() }
  }

  private static let mostEnds = 8

  private mutating func prove() {
    isFound = true
    remainingCount = 0
  }
}
