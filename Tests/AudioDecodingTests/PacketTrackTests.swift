import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// AAC and ALAC: lengths, samples and identity, with the source and FFmpeg as oracles.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct PacketTrackTests {
  private static let frameCount = 314_159
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let noise =
      "aevalsrc=0.4*sin(440*t*2*PI)+0.1*random(0)|0.3*sin(660*t*2*PI)+0.1*random(1):s=44100:d=8,atrim=end_sample="
      + "\(Self.frameCount)"
    try ffmpeg("-f lavfi -i \(noise) -c:a pcm_s16le", to: "source.wav")
  }

  /// Arguments are separated by blanks; `@name` is a file in the folder.
  @discardableResult
  private func ffmpeg(_ arguments: String, to name: String) throws -> URL {
    let words = arguments.split(separator: " ").map {
      $0.hasPrefix("@") ? folder.appending(String($0.dropFirst())).path : String($0)
    }
    let target = folder.appending(name)
    try Tool.run("ffmpeg", arguments: ["-v", "error", "-y"] + words + [target.path])
    return target
  }

  private func floats(_ url: URL) throws -> [Float] {
    let raw = try #require(Tool("ffmpeg")).run(["-v", "error", "-i", url.path, "-f", "f32le", "-"])
    return raw.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  @Test(arguments: ["s16p", "s32p"])
  func `ALAC gives the samples of its source, and their hash`(_ samples: String) throws {
    let source =
      samples == "s16p"
      ? folder.appending("source.wav") : try ffmpeg("-i @source.wav -af volume=0.3 -c:a pcm_s24le", to: "24.wav")
    let file = try ffmpeg("-i @\(source.lastPathComponent) -c:a alac -sample_fmt \(samples)", to: "a.m4a")
    let (decoded, original) = (try DecodedFile(file), try DecodedFile(source))
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.samples == original.samples)
    #expect(decoded.mediaFormat.bitsPerSample == (samples == "s16p" ? 16 : 24))
    #expect(decoded.mediaFormat.declaredFrameCount == Int64(Self.frameCount))
    func sampleHash(_ url: URL) throws -> ContentHash? {
      let file = try OpenFile(url)
      let decoder = try file.mediaFile().makeDecoder(hashesSamples: true)
      _ = try decoder.readAll()
      return decoder.decodedStream.sampleHash
    }
    #expect(try sampleHash(file) != nil && sampleHash(file) == sampleHash(source))
  }

  @Test func `AAC in MP4 is as long as its source, and sounds as FFmpeg decodes it`() throws {
    let decoded = try DecodedFile(try ffmpeg("-i @source.wav -c:a aac -b:a 160k", to: "a.m4a"))
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.frameCount == Self.frameCount)
    #expect(decoded.mediaFormat.delayFrameCount == 1024)
    #expect(decoded.mediaFormat.codec == .aac && decoded.mediaFormat.container == .mp4)
    // FFmpeg does not drop the padding at the end.
    #expect(try floats(folder.appending("a.m4a")).starts(with: decoded.samples))
  }

  @Test func `the same packets are one stream in MP4, fragments and ADTS, and their delay is the file's own`() throws {
    let whole = try ffmpeg("-i @source.wav -c:a aac -b:a 96k", to: "a.m4a")
    let fast = try ffmpeg("-i @a.m4a -c copy -movflags faststart", to: "b.m4a")
    let fragments = try ffmpeg("-i @a.m4a -c copy -movflags frag_keyframe+empty_moov", to: "c.mp4")
    let bare = try ffmpeg("-i @a.m4a -c copy", to: "d.aac")
    let other = try ffmpeg("-i @source.wav -c:a aac -b:a 128k", to: "e.m4a")
    let identities = try [whole, fast, fragments, bare, other].map { try OpenFile($0).identity() }
    #expect(Set(identities[..<4].map(\.hash)).count == 1)
    #expect(identities[4].hash != identities[0].hash)
    #expect(identities.allSatisfy { $0.hashVersion == 2 && $0.formerHash != nil })
    #expect(identities[0].statement.delayFrameCount == 1024)
    #expect(identities[0].statement > identities[3].statement)
    let lengths = try [whole, fast, fragments, bare].map { try DecodedFile($0).frameCount }
    #expect(lengths == [Self.frameCount, Self.frameCount, lengths[2], lengths[2]])
    // Nothing says that the decode of the bare stream begins with the encoder's delay.
    #expect(lengths[2] == (Self.frameCount + 1024 + 1023) / 1024 * 1024 && lengths[3] == lengths[2])
  }

  @Test func `tags and moved boxes do not change the stream`() throws {
    let file = try ffmpeg("-i @source.wav -c:a alac", to: "a.m4a")
    let tagged = try ffmpeg("-i @a.m4a -c copy -metadata title=\(String(repeating: "x", count: 5000))", to: "b.m4a")
    #expect(try OpenFile(file).identity().hash == OpenFile(tagged).identity().hash)
  }

  @Test(arguments: ["aac", "alac"])
  func `a file that is cut gives what is there, and says what is missing`(_ codec: String) throws {
    let file = try ffmpeg("-i @source.wav -c:a \(codec) -movflags faststart", to: "a.m4a")
    let whole = try DecodedFile(file)
    let bytes = [UInt8](try Data(contentsOf: file))
    try folder.write(Array(bytes[..<(bytes.count * 2 / 3)]), to: "cut.m4a")
    let cut = try DecodedFile(folder.appending("cut.m4a"))
    #expect(cut.outcome.state == .damaged && cut.outcome.problem?.code == "truncated")
    #expect(cut.frameCount > Self.frameCount / 2 && cut.frameCount < Self.frameCount * 3 / 4)
    #expect(whole.samples.starts(with: cut.samples))
    #expect(cut.mediaFormat.declaredFrameCount == Int64(Self.frameCount))
  }

  @Test(arguments: ["a.aac", "a.m4a"])
  func `what is behind a broken packet stays at its place`(_ name: String) throws {
    let file = try ffmpeg("-i @source.wav -c:a aac -b:a 160k", to: name)
    let whole = try DecodedFile(file)
    var bytes = [UInt8](try Data(contentsOf: file))
    // In the middle of the audio, without a header of ADTS.
    let middle = bytes.count / 2
    for place in middle..<middle + 120 where name == "a.m4a" { bytes[place] = 0xFF }
    if name == "a.aac" {
      let start = try #require(
        (middle..<bytes.count).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xF1 && bytes[$0 + 2] == bytes[2] })
      for place in start + 7..<start + 100 { bytes[place] = 0 }
    }
    try folder.write(bytes, to: "broken-\(name)")
    let broken = try DecodedFile(folder.appending("broken-\(name)"))
    #expect(broken.frameCount == whole.frameCount)
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == "undecodable")
    let position = try #require(broken.outcome.problem?.positionInSeconds)
    #expect(position > 2 && position < 5)
    let last = whole.samples.count - 2 * 44_100
    #expect(broken.samples[last...] == whole.samples[last...])
  }

  @Test func `junk between the frames of ADTS is damage, and the frames are all there`() throws {
    let file = try ffmpeg("-i @source.wav -c:a aac -b:a 96k", to: "a.aac")
    let whole = try DecodedFile(file)
    let bytes = [UInt8](try Data(contentsOf: file))
    let first = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
    try folder.write(Array(bytes[..<first]) + [1, 2, 3, 0xFF, 5] + Array(bytes[first...]), to: "b.aac")
    let broken = try DecodedFile(folder.appending("b.aac"))
    #expect(broken.outcome.problem?.reason == "5 bytes between frames are not audio")
    #expect(broken.samples == whole.samples)
  }

  @Test func `iTunes' comment says what to drop where no edit list does`() throws {
    let file = try ffmpeg("-i @source.wav -c:a aac -b:a 96k -use_editlist 0", to: "a.m4a")
    let packetCount = (Self.frameCount + 1024 + 1023) / 1024
    let padding = packetCount * 1024 - 1024 - Self.frameCount
    func hexadecimal(_ number: Int, _ count: Int) -> String {
      let digits = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: count - digits.count) + digits
    }
    let comment =
      " 00000000 \(hexadecimal(1024, 8)) \(hexadecimal(padding, 8)) \(hexadecimal(Self.frameCount, 16)) 00000000 00000000"
    var bytes = [UInt8](try Data(contentsOf: file))
    try #require(bytes.suffix(8192).count > 0)
    bytes = try MovieBytes(bytes).addingFreeFormItem("iTunSMPB", comment)
    try folder.write(bytes, to: "b.m4a")
    let decoded = try DecodedFile(folder.appending("b.m4a"))
    #expect(decoded.frameCount == Self.frameCount)
    #expect(decoded.mediaFormat.delayFrameCount == 1024)
    #expect(decoded.mediaFormat.paddingFrameCount == padding)
  }
}

/// An MP4 file whose movie is its last box, as FFmpeg writes it.
private struct MovieBytes {
  private let bytes: [UInt8]
  private let start: Int

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    var offset = 0
    while offset + 8 < bytes.count, !bytes[(offset + 4)...].starts(with: Array("moov".utf8)) {
      offset += Int(Self.size(bytes, at: offset))
    }
    try #require(offset + Int(Self.size(bytes, at: offset)) == bytes.count)
    start = offset
  }

  private static func size(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    bigEndian(UInt32(8 + parts.reduce(0) { $0 + $1.count })) + Array(type.utf8) + parts.flatMap { $0 }
  }

  /// With metadata that hold one free-form item; what was there before counts no longer.
  func addingFreeFormItem(_ name: String, _ text: String) -> [UInt8] {
    let item = Self.box(
      "----", Self.box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8)),
      Self.box("name", [0, 0, 0, 0] + Array(name.utf8)),
      Self.box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8)))
    let handler = Self.box(
      "hdlr", [UInt8](repeating: 0, count: 8) + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9))
    let data = Self.box("udta", Self.box("meta", [0, 0, 0, 0], handler, Self.box("ilst", item)))
    var movie = Array(bytes[(start + 8)...])
    // The metadata that FFmpeg wrote.
    if let old = movie.indices.first(where: { movie[$0...].starts(with: Array("udta".utf8)) }) {
      movie.replaceSubrange(old..<old + 4, with: Array("free".utf8))
    }
    return Array(bytes[..<start]) + Self.box("moov", movie, data)
  }
}
