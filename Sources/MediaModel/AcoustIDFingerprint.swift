/// What AcoustID knows a recording by: 32 bits for each eighth of a second of its first two minutes.
///
/// Two fingerprints of the same sound differ in few bits, whatever the codec; see docs/formats.md for the layout.
package struct AcoustIDFingerprint: Hashable, Sendable {
  /// What ``compressed`` can count.
  package static let maximumWordCount = 0xFF_FFFF

  /// The number that Chromaprint gives the algorithm in the compressed form; its default algorithm has 1.
  package var algorithm: UInt8
  /// At most ``maximumWordCount``; none where the sound is too short.
  package var words: [UInt32]

  package init(algorithm: UInt8, words: [UInt32]) {
    self.algorithm = algorithm
    self.words = words
  }
}
