import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

// Faults: 224
/// What a decoder uses is in the hash of the stream, or in what the file states about it: if a changed header changes what
/// is decoded, one of the two is another one. Otherwise two sounds would be one recording, and the first one read would
/// decide which.
struct HeaderFieldTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What a decode gives.
  private struct Sound: Hashable {
    private let sampleRateInHz: Int
    private let channelCount: Int
    private let loudspeakers: UInt32?
    private let samples: [UInt32]

    init(_ file: OpenFile) throws {
      let decoder = try file.decoder()
      samples = try decoder.readAll(blockFrameCount: 1 << 16).map(\.bitPattern)
      sampleRateInHz = decoder.format.sampleRateInHz
      channelCount = decoder.format.channelCount
      loudspeakers = decoder.format.unusualMask
    }

    var frameCount: Int { samples.count / channelCount }
  }

  /// A file, and what was found in it.
  private struct Original {
    let bytes: [UInt8]
    let identity: StreamIdentity
    let sound: Sound
  }

  private func read(_ bytes: [UInt8]) throws -> Original {
    try folder.write(bytes, to: "a")
    let file = try OpenFile(folder.appending("a"))
    return Original(bytes: bytes, identity: try file.identity(), sound: try Sound(file))
  }

  /// The number of changes that left the identity alone, all of which must leave the sound alone, too. A file that is not
  /// read any more gives no sound for another file to share.
  private func countUnidentified(of original: Original, _ change: (inout [UInt8]) -> Void, about what: String) throws
    -> Int
  {
    var changed = original.bytes
    change(&changed)
    if changed.starts(with: "OggS".utf8) { changed = OggBytes.pages(changed).flatMap { OggBytes.withChecksum($0) } }
    try folder.write(changed, to: "b")
    let file = try OpenFile(folder.appending("b"))
    guard let identity = try? file.identity(), identity.hash == original.identity.hash,
      identity.declaration == original.identity.declaration, let sound = try? Sound(file)
    else { return 0 }
    let isEqual = sound == original.sound
    #expect(isEqual, "\(what): \(sound.frameCount) frames, before \(original.sound.frameCount)")
    return 1
  }

  /// Bytes at both ends, where headers, tables and tags are. Packets are hashed, whatever they are.
  @Test(
    .enabled(if: EncodedSignal.areToolsThere, "ffmpeg, flac, SoX or an encoder is not installed"),
    arguments: EncodedSignal.all)
  func `a changed byte of a header that changes the sound changes hash or declaration`(_ signal: EncodedSignal) throws {
    let original = try read([UInt8](Data(contentsOf: signal.make(in: folder, seconds: 0.3))))
    let count = original.bytes.count
    let places = Set(0..<min(count, 700)).union(max(0, count - 800)..<count).sorted()
    var random = RepeatableRandom(seed: 44)
    let values: [UInt8] = [1, 8, 128, 255]
    var unidentifiedCount = 0
    for place in places where TestSize.isSlow || Int.random(in: 0..<12, using: &random) == 0 {
      for value in TestSize.isSlow ? values : [values.randomElement(using: &random) ?? 1] {
        unidentifiedCount += try countUnidentified(
          of: original, { $0[place] ^= value }, about: "byte \(place) ^ \(value)")
      }
    }
    // Bare frames are hashed to the last byte.
    if !["mp2", "aac", "ac3", "eac3", "dts"].contains(signal.pathExtension) { #expect(unidentifiedCount > 0) }
  }

  /// Each in its own place, of a file that is long enough for several of its packets.
  private func expectOther(_ original: Original, _ bytes: [UInt8], differsInHash: Bool) throws -> StreamIdentity {
    let other = try read(bytes)
    #expect(other.sound != original.sound)
    #expect((other.identity.hash != original.identity.hash) == differsInHash)
    if !differsInHash { #expect(other.identity.declaration != original.identity.declaration) }
    return other.identity
  }

  // MARK: Windows Media

  private static let packetSizes: [UInt8] = [
    0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
  ]

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `the size of the packets of ASF is part of the stream, if the packets show another one`() throws {
    let music = try EncodedMusic()
    let file = try music.ffmpeg("-i @source.wav -t 2 -c:a wmav2 -b:a 96k", to: "a.wma")
    let original = try read([UInt8](Data(contentsOf: file)))
    #expect(original.identity.replacedHash == nil)
    let mark = try #require(original.bytes.firstRange(of: Self.packetSizes)?.lowerBound)
    let place = mark + 24 + 68
    let size = try #require(original.bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) } as Int?)
    var changed = original.bytes
    changed.replaceSubrange(place..<place + 8, with: littleEndian(UInt32(2 * size)) + littleEndian(UInt32(2 * size)))
    let other = try expectOther(original, changed, differsInHash: true)
    // Under this hash older libraries know it.
    #expect(other.replacedHash == original.identity.hash)
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `which stream of ASF is heard is part of the stream`() throws {
    let music = try EncodedMusic()
    let options = "-i @source.wav -i @source.wav -t 1 -map 0 -map 1 -filter:a:1 volume=0.3 -c:a wmav2 -b:a 96k"
    let original = try read([UInt8](Data(contentsOf: music.ffmpeg(options, to: "a.wma"))))
    // The audio streams in the header, whose numbers are 48 bytes behind their type.
    let type: [UInt8] = [
      0x40, 0x9E, 0x69, 0xF8, 0x4D, 0x5B, 0xCF, 0x11, 0xA8, 0xFD, 0x00, 0x80, 0x5F, 0x5C, 0x44, 0x2B,
    ]
    let places = original.bytes.ranges(of: type).map { $0.lowerBound + 48 }
    #expect(places.map { original.bytes[$0] } == [1, 2])
    var changed = original.bytes
    changed.swapAt(places[0], places[1])
    _ = try expectOther(original, changed, differsInHash: true)
  }

  // MARK: Ogg

  private func chain(_ change: (inout OggStream) -> Void) throws -> [UInt8] {
    let first = try StreamFixture.opusStream()
    var second = first
    second.serial = 7
    change(&second)
    return first.bytes() + second.bytes()
  }

  @Test func `gain, delay and length of the second link of a chain are stated`() throws {
    let original = try read(chain { _ in })
    for number in 0..<3 {
      let changed = try chain { stream in
        let last = stream.packets.count - 1
        switch number {
        case 0: stream.packets[0].bytes.replaceSubrange(16..<18, with: littleEndian(Int16(-1536)))
        // The delay grows as much as the length, so that all of the file is as long as before.
        case 1:
          let delay = stream.packets[0].bytes[10..<12].reversed().reduce(0) { $0 << 8 | UInt16($1) }
          stream.packets[0].bytes.replaceSubrange(10..<12, with: littleEndian(delay - 100))
          stream.packets[last].granule -= 100
        default: stream.packets[last].granule -= 50
        }
      }
      let identity = try expectOther(original, changed, differsInHash: false)
      #expect(identity.declaration.chain != original.identity.declaration.chain)
      #expect(StreamDeclaration(identity.declaration.description) == identity.declaration)
    }
    #expect(try read(StreamFixture.opusStream().bytes()).identity.declaration.chain == nil)
  }

  /// 100 frames are left out at the start or at the end: both files are as long.
  @Test func `at which end Vorbis is cut is stated`() throws {
    var (early, late) = (try StreamFixture.vorbisStream(), try StreamFixture.vorbisStream())
    early.cutPages(after: 10)
    late.cutPages(after: 10)
    for number in early.headerCount..<early.packets.count where early.packets[number].granule > 0 {
      early.packets[number].granule -= 100
    }
    late.packets[late.packets.count - 1].granule -= 100
    let original = try read(late.bytes())
    let identity = try expectOther(original, early.bytes(), differsInHash: false)
    #expect(identity.declaration.frameCount == original.identity.declaration.frameCount)
  }

  // MARK: AAC

  /// A packet of silence that has two single channels, of which a program configuration says which is which.
  private static func program(front: [Int], comment: String = "") -> [UInt8] {
    // Type 2, rate 44,100 Hz, configuration 0, three flags.
    var bits = "00010" + "0100" + "0000" + "000"
    func add(_ value: Int, _ width: Int) {
      let digits = String(value, radix: 2)
      bits += String(repeating: "0", count: width - digits.count) + digits
    }
    add(0, 4); add(1, 2); add(4, 4)
    for (count, width) in [(front.count, 4), (0, 4), (0, 4), (0, 2), (0, 3), (0, 4)] { add(count, width) }
    bits += "000"
    for tag in front { add(0, 1); add(tag, 4) }
    bits += String(repeating: "0", count: (8 - bits.count % 8) % 8)
    add(comment.utf8.count, 8)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: bits.count, by: 8) {
      let from = bits.index(bits.startIndex, offsetBy: start)
      bytes.append(UInt8(bits[from..<bits.index(from, offsetBy: 8)], radix: 2) ?? 0)
    }
    return bytes + Array(comment.utf8)
  }

  @Test func `the program configuration of AAC is part of the stream, without its comment`() throws {
    func identity(_ configuration: [UInt8]) throws -> StreamIdentity {
      var file = MP4Bytes()
      file.configuration = configuration
      try folder.write(file.bytes, to: "a")
      return try OpenFile(folder.appending("a")).identity()
    }
    let usual = try identity(Self.program(front: [0, 1]))
    let swapped = try identity(Self.program(front: [1, 0]))
    #expect(usual.hash != swapped.hash)
    #expect(usual.replacedHash != nil && usual.replacedHash == swapped.replacedHash)
    #expect(try identity(Self.program(front: [0, 1], comment: "made by hand")).hash == usual.hash)
    #expect(try identity(MP4Bytes.configuration).replacedHash == nil)
  }

  /// FFmpeg's encoder writes a program configuration for loudspeakers that have no number.
  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `a program with other loudspeakers decodes to something else, and is another stream`() throws {
    let music = try EncodedMusic()
    let file = try music.ffmpeg(
      "-f lavfi -i aevalsrc=0.3*sin(440*t*2*PI)|0.3*sin(660*t*2*PI)|0.3*sin(90*t*2*PI):c=2.1:s=44100:d=1 -c:a aac",
      to: "a.m4a")
    let original = try read([UInt8](Data(contentsOf: file)))
    #expect(original.identity.replacedHash != nil)
    let place = try #require(original.bytes.firstRange(of: Array("esds".utf8))?.upperBound)
    var changeCount = 0
    for offset in 0..<60 {
      for bit in 0..<8 {
        var changed = original.bytes
        changed[place + offset] ^= 1 << UInt8(bit)
        try folder.write(changed, to: "b")
        let other = try OpenFile(folder.appending("b"))
        guard let identity = try? other.identity(), let sound = try? Sound(other), sound != original.sound else {
          continue
        }
        changeCount += 1
        let isSame = identity.hash == original.identity.hash && identity.declaration == original.identity.declaration
        #expect(!isSame, "byte \(offset), bit \(bit)")
      }
    }
    #expect(changeCount > 0)
  }

  /// Muxers signal spectral band replication in several ways, which is one stream. One that forbids it is another sound.
  @Test func `a configuration that forbids what the packets have is another sound`() throws {
    let packets = ADTSBytes.packets(
      of: [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "encoded/onset-he-v2.aac"))))
    func file(_ configuration: [UInt8]) -> [UInt8] {
      var file = MP4Bytes()
      file.packets = packets
      file.configuration = configuration
      file.durations = [(packets.count, 1024)]
      file.timescale = 22_050
      return file.bytes
    }
    let original = try read(file([0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80]))
    #expect(original.identity.replacedHash == nil)
    let withoutStereo = try expectOther(
      original, file([0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x00]), differsInHash: true)
    #expect(withoutStereo.replacedHash == original.identity.hash)
    // Most encoders of plain AAC write this; here it halves rate and length, which the file states.
    _ = try expectOther(original, file([0x13, 0x88, 0x56, 0xE5, 0x00]), differsInHash: false)
  }

  // MARK: FLAC

  /// By a length that leads behind the end, the library would find no frame.
  @Test func `FLAC decodes to all of its frames if the length of a metadata block is impossible`() throws {
    let bytes = [UInt8](try Data(contentsOf: StreamFixture.flac))
    let original = try read(bytes)
    // Of STREAMINFO, and of the block behind it.
    for place in [5, 43] {
      var changed = bytes
      changed.replaceSubrange(place..<place + 3, with: [0xFF, 0xFF, 0xFF])
      let other = try read(changed)
      let isEqual = other.sound == original.sound
      #expect(isEqual)
      #expect(other.identity.hash == original.identity.hash)
    }
  }
}
