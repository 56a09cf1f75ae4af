import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// AAC and ALAC: lengths, samples and identity, with the source and FFmpeg as oracles.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct PacketTrackTests {
  private let music: EncodedMusic

  init() throws { music = try EncodedMusic() }

  @Test(arguments: ["s16p", "s32p"])
  func `ALAC gives the samples of its source, and their hash`(_ samples: String) throws {
    let source =
      samples == "s16p"
      ? music.folder.appending("source.wav")
      : try music.ffmpeg("-i @source.wav -af volume=0.3 -c:a pcm_s24le", to: "24.wav")
    let file = try music.ffmpeg("-i @\(source.lastPathComponent) -c:a alac -sample_fmt \(samples)", to: "a.m4a")
    let (decoded, original) = (try DecodedFile(file), try DecodedFile(source))
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.samples == original.samples)
    #expect(decoded.mediaFormat.bitsPerSample == (samples == "s16p" ? 16 : 24))
    #expect(decoded.mediaFormat.declaredFrameCount == Int64(EncodedMusic.frameCount))
    #expect(try music.sampleHash(file) != nil && music.sampleHash(file) == music.sampleHash(source))
  }

  @Test func `AAC in MP4 is as long as its source, and sounds as FFmpeg decodes it`() throws {
    let decoded = try DecodedFile(try music.ffmpeg("-i @source.wav -c:a aac -b:a 160k", to: "a.m4a"))
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.frameCount == EncodedMusic.frameCount)
    #expect(decoded.mediaFormat.delayFrameCount == 1024)
    #expect(decoded.mediaFormat.codec == .aac && decoded.mediaFormat.container == .mp4)
    // FFmpeg does not drop the padding at the end.
    #expect(try music.floats(music.folder.appending("a.m4a")).starts(with: decoded.samples))
  }

  @Test func `the same packets are one stream in MP4, fragments and ADTS, and their delay is the file's own`() throws {
    let whole = try music.ffmpeg("-i @source.wav -c:a aac -b:a 96k", to: "a.m4a")
    let fast = try music.ffmpeg("-i @a.m4a -c copy -movflags faststart", to: "b.m4a")
    let fragments = try music.ffmpeg("-i @a.m4a -c copy -movflags frag_keyframe+empty_moov", to: "c.mp4")
    let bare = try music.ffmpeg("-i @a.m4a -c copy", to: "d.aac")
    let other = try music.ffmpeg("-i @source.wav -c:a aac -b:a 128k", to: "e.m4a")
    let identities = try [whole, fast, fragments, bare, other].map { try OpenFile($0).identity() }
    #expect(Set(identities[..<4].map(\.hash)).count == 1)
    #expect(identities[4].hash != identities[0].hash)
    #expect(identities.allSatisfy { $0.hashVersion == 2 && $0.formerHash != nil })
    #expect(identities[0].declaration.delayFrameCount == 1024)
    #expect(identities[0].declaration > identities[3].declaration)
    let lengths = try [whole, fast, fragments, bare].map { try DecodedFile($0).frameCount }
    let packetFrameCount = (EncodedMusic.frameCount + 1024 + 1023) / 1024 * 1024
    // A copy by FFmpeg says its length in milliseconds only; in fragments the delay is lost, in ADTS also the end.
    #expect(lengths[0] == EncodedMusic.frameCount && abs(lengths[1] - EncodedMusic.frameCount) <= 44)
    #expect(lengths[2...] == [lengths[1] + 1024, packetFrameCount])
  }

  @Test func `tags and moved boxes do not change the stream`() throws {
    let file = try music.ffmpeg("-i @source.wav -c:a alac", to: "a.m4a")
    let tagged = try music.ffmpeg(
      "-i @a.m4a -c copy -metadata title=\(String(repeating: "x", count: 5000))", to: "b.m4a")
    #expect(try OpenFile(file).identity().hash == OpenFile(tagged).identity().hash)
  }

  @Test(arguments: ["aac", "alac"])
  func `a file that is cut gives what is there, and says what is missing`(_ codec: String) throws {
    let file = try music.ffmpeg("-i @source.wav -c:a \(codec) -movflags faststart", to: "a.m4a")
    let whole = try DecodedFile(file)
    let bytes = [UInt8](try Data(contentsOf: file))
    let cut = try music.decoded(Array(bytes[..<(bytes.count * 2 / 3)]), as: "cut.m4a")
    #expect(cut.outcome.state == .damaged && cut.outcome.problem?.code == "truncated")
    #expect(cut.frameCount > EncodedMusic.frameCount / 2 && cut.frameCount < EncodedMusic.frameCount * 3 / 4)
    #expect(whole.samples.starts(with: cut.samples))
    #expect(cut.mediaFormat.declaredFrameCount == Int64(EncodedMusic.frameCount))
  }

  @Test(arguments: ["a.aac", "a.m4a"])
  func `what is behind a broken packet stays at its place`(_ name: String) throws {
    let file = try music.ffmpeg("-i @source.wav -c:a aac -b:a 160k", to: name)
    let whole = try DecodedFile(file)
    var bytes = [UInt8](try Data(contentsOf: file))
    // In the middle of the audio, without a header of ADTS.
    let middle = bytes.count / 2
    for place in middle..<middle + 120 where name == "a.m4a" { bytes[place] = 0xFF }
    if name == "a.aac" {
      let sync: [UInt8] = [0xFF, 0xF1, bytes[2]]
      let start = try #require((middle..<bytes.count).first { bytes[$0...].starts(with: sync) })
      for place in start + 7..<start + 100 { bytes[place] = 0 }
    }
    let broken = try music.decoded(bytes, as: "broken-\(name)")
    #expect(broken.frameCount == whole.frameCount)
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == "undecodable")
    let position = try #require(broken.outcome.problem?.positionInSeconds)
    #expect(position > 2 && position < 5)
    let last = whole.samples.count - 2 * 44_100
    #expect(broken.samples[last...] == whole.samples[last...])
  }

  @Test func `a packet without bytes is silence, and does not end the decode`() throws {
    let whole = try DecodedFile(try music.ffmpeg("-i @source.wav -c:a alac", to: "a.m4a"))
    var bytes = [UInt8](try Data(contentsOf: music.folder.appending("a.m4a")))
    let table = 4 + (try #require(bytes.indices.first { bytes[$0...].starts(with: "stsz".utf8) }))
    func size(ofPacket number: Int) -> Range<Int> { table + 12 + 4 * number..<table + 16 + 4 * number }
    // The next packet gets the bytes of this one, too, so that those behind it keep their places.
    let sizes = [10, 11].map { bytes[size(ofPacket: $0)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
    for (number, count) in [(10, 0), (11, sizes[0] + sizes[1])] {
      bytes.replaceSubrange(size(ofPacket: number), with: withUnsafeBytes(of: UInt32(count).bigEndian) { Array($0) })
    }
    let broken = try music.decoded(bytes, as: "empty.m4a")
    #expect(broken.outcome.problem?.code == "undecodable")
    #expect(broken.frameCount == whole.frameCount)
    #expect(broken.samples.suffix(88_200) == whole.samples.suffix(88_200))
  }

  @Test func `junk between the frames of ADTS is damage, and the frames are all there`() throws {
    let file = try music.ffmpeg("-i @source.wav -c:a aac -b:a 96k", to: "a.aac")
    let whole = try DecodedFile(file)
    let bytes = [UInt8](try Data(contentsOf: file))
    // Behind the third frame: at its start, frames in a row show what a file is.
    var place = 0
    for _ in 0..<3 {
      place += Int(bytes[place + 3] & 3) << 11 | Int(bytes[place + 4]) << 3 | Int(bytes[place + 5] >> 5)
    }
    let broken = try music.decoded(Array(bytes[..<place]) + [1, 2, 3, 0xFF, 5] + Array(bytes[place...]), as: "b.aac")
    #expect(broken.outcome.problem?.reason == "5 bytes between frames are not audio")
    #expect(broken.samples == whole.samples)
  }
}
