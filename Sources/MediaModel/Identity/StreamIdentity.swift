internal import Base

/// Which stream a file holds, and what the file says about it; known before anything is decoded.
///
/// A stream is what is encoded: the packets, and the smallest configuration without which they mean something else,
/// whatever the container, its pages and its tags (docs/decisions/0029).
package struct StreamIdentity: Hashable, Sendable {
  /// The version of the rules by which streams are hashed that have a decoder.
  package static let currentVersion = 2

  package var hash: ContentHash
  /// ``currentVersion``; 1 for a format without a decoder, whose packets are not separated from their container.
  package var hashVersion: Int
  /// The hash by the rules of version 1, under which libraries of schema 5 and before know the stream; nil if ``hash``
  /// is that one.
  package var formerHash: ContentHash?
  /// The hash by an earlier rule of version 2, which left out something that the decoder uses; nil for all streams but
  /// the few for which that makes a difference.
  package var replacedHash: ContentHash?
  /// The bytes of the packets.
  package var byteCount: Int64
  package var declaration: StreamDeclaration

  package init(
    hash: ContentHash, hashVersion: Int = currentVersion, replacedHash: ContentHash? = nil,
    formerHash: ContentHash? = nil, byteCount: Int64,
    declaration: StreamDeclaration = StreamDeclaration()
  ) {
    self.hash = hash
    self.hashVersion = hashVersion
    self.replacedHash = replacedHash
    self.formerHash = formerHash
    self.byteCount = byteCount
    self.declaration = declaration
  }

  /// What libraries may know the stream by since an earlier version of the program, with the version of each hash; the
  /// newest first.
  package var formerHashes: [(hash: ContentHash, version: Int)] {
    [replacedHash.map { ($0, Self.currentVersion) }, formerHash.map { ($0, 1) }].compactMap { $0 }
  }
}

/// What a file says about the stream in it: how it is trimmed and amplified. Files with one stream may differ in it.
///
/// Declarations have an order: of two files with one stream, the one with the greater declaration provides the products.
/// So the products do not depend on the order in which files are read.
package struct StreamDeclaration: Hashable, Sendable {
  /// Whether the positions, lengths and bytes around the packets agree with the packets.
  package var isSound = true
  /// Frames that the encoder added at the start; nil if the file does not say it.
  package var delayFrameCount: Int?
  /// Frames after trimming; nil if only decoding tells, which then does not depend on the file.
  package var frameCount: Int64?
  /// The gain that a decoder applies, in 1/256 dB (RFC 7845 section 5.1).
  package var outputGain = 0
  /// How each link of a chain is trimmed and amplified, as a number that is another one for other links; nil for a stream
  /// of one link.
  package var chain: UInt64?

  package init(
    isSound: Bool = true, delayFrameCount: Int? = nil, frameCount: Int64? = nil, outputGain: Int = 0,
    chain: UInt64? = nil
  ) {
    self.chain = chain
    self.isSound = isSound
    self.delayFrameCount = delayFrameCount
    self.frameCount = frameCount
    self.outputGain = outputGain
  }
}

extension StreamDeclaration: Comparable {
  /// A sound file comes before a contradictory one, one that states the encoder's delay before one that does not, one
  /// without gain before one with gain, the longer before the shorter. The rest only makes the order total.
  package static func < (left: StreamDeclaration, right: StreamDeclaration) -> Bool {
    left.rank.lexicographicallyPrecedes(right.rank)
  }

  private var rank: [Int64] {
    [
      isSound ? 1 : 0, delayFrameCount == nil ? 0 : 1, outputGain == 0 ? 1 : 0, frameCount ?? -1,
      -Int64(delayFrameCount ?? 0), Int64(-outputGain), chain == nil ? 0 : 1, Int64(bitPattern: chain ?? 0),
    ]
  }
}

extension StreamDeclaration: LosslessStringConvertible {
  /// As it is stored, such as `sound delay=312 frames=1323000`; `unsound` for a contradictory file.
  package var description: String {
    var words = [isSound ? "sound" : "unsound"]
    if let delayFrameCount { words.append("delay=\(delayFrameCount)") }
    if let frameCount { words.append("frames=\(frameCount)") }
    if outputGain != 0 { words.append("gain=\(outputGain)") }
    if let chain { words.append("chain=\(String(chain, radix: 16))") }
    return words.joined(separator: " ")
  }

  /// nil for what ``description`` did not write.
  package init?(_ description: String) {
    let words = description.split(separator: " ")
    guard let first = words.first, first == "sound" || first == "unsound" else { return nil }
    self.init(isSound: first == "sound")
    for word in words.dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[0] == "chain" {
        guard let number = UInt64(parts[1], radix: 16) else { return nil }
        chain = number
        continue
      }
      guard parts.count == 2, let number = Int64(parts[1]) else { return nil }
      switch parts[0] {
      case "delay": delayFrameCount = Int(number)
      case "frames": frameCount = number
      case "gain": outputGain = Int(number)
      default: return nil
      }
    }
  }
}

/// What decoding all packets of a stream showed. It does not depend on the file that holds them.
package struct DecodedStream: Hashable, Sendable {
  /// The first packet that could not be decoded; nil if all could.
  package var problem: Problem?
  /// The hash of the samples, if they are exactly what was encoded and nothing was wrong with them; nil for lossy codecs.
  package var sampleHash: ContentHash?

  package init(problem: Problem? = nil, sampleHash: ContentHash? = nil) {
    self.problem = problem
    self.sampleHash = sampleHash
  }
}
