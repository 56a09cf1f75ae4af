import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Windows Media, with FFmpeg as encoder and oracle; of Monkey's Audio and TAK there is no encoder.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct DemuxedFileTests {
  private let music: EncodedMusic

  init() throws { music = try EncodedMusic() }

  @Test(arguments: ["wmav1", "wmav2"])
  func `samples are those of FFmpeg, and nothing of its start is lost`(_ codec: String) throws {
    let file = try music.ffmpeg("-i @source.wav -c:a \(codec) -b:a 128k", to: "a.wma")
    let decoded = try DecodedFile(file)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.mediaFormat.codec?.rawValue == codec && decoded.mediaFormat.container == .asf)
    // The encoder's last block is not full.
    #expect(abs(decoded.frameCount - EncodedMusic.frameCount) <= 2 * 2048)
    let oracle = try DecodedFile(music.ffmpeg("-i @a.wma -c:a pcm_f32le", to: "oracle.wav"))
    // FFmpeg's program drops what comes before time zero, a whole number of blocks.
    let lead = decoded.samples.count - oracle.samples.count
    try #require(lead >= 0 && lead % (2 * 2048) == 0)
    #expect(decoded.samples.dropFirst(lead).elementsEqual(oracle.samples))
  }

  @Test func `ranges equal the whole decode`() throws {
    let file = try music.ffmpeg("-i @source.wav -c:a wmav2 -b:a 96k", to: "a.wma")
    let whole = try DecodedFile(file, blockFrameCount: 333)
    let open = try OpenFile(file)
    let decoder = try open.decoder()
    for position in [100_000, 5, 150_000, 149_990, 0, whole.frameCount - 10, whole.frameCount + 5] {
      try decoder.seek(toFrame: Int64(position))
      let expected = whole.samples.dropFirst(2 * position).prefix(2 * 3000)
      let isEqual = try decoder.readFrames(3000).elementsEqual(expected)
      #expect(isEqual)
    }
  }

  @Test func `a title does not change the stream, another bit rate does`() throws {
    let names = try [
      music.ffmpeg("-i @source.wav -c:a wmav2 -b:a 96k", to: "a.wma"),
      music.ffmpeg("-i @a.wma -c copy -metadata title=x", to: "b.wma"),
      music.ffmpeg("-i @source.wav -c:a wmav2 -b:a 128k", to: "c.wma"),
    ]
    let identities = try names.map { try OpenFile($0).identity() }
    #expect(identities[0].hash == identities[1].hash && identities[0].hashVersion == 2)
    #expect(identities[2].hash != identities[0].hash)
  }

  @Test func `changed bytes anywhere are never worse than damage`() throws {
    let file = try music.ffmpeg("-i @source.wav -c:a wmav2 -b:a 64k -t 2", to: "a.wma")
    try music.folder.readMutations(of: [UInt8](try Data(contentsOf: file)), as: "b.wma", count: 200, seed: 43)
  }
}
