import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Frames of another codec in place of samples of 16 bits.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct CodedSamplesTests {
  private let music: EncodedMusic

  init() throws { music = try EncodedMusic() }

  private func wav(_ data: [UInt8]) -> [UInt8] {
    ChunkBytes.riff(
      ChunkBytes.chunk("fmt ", ChunkBytes.format(channelCount: 2, sampleRateInHz: 44_100)),
      ChunkBytes.chunk("data", data))
  }

  private func coded(_ arguments: String, as name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: music.ffmpeg("-i @source.wav -t 2 \(arguments)", to: name)))
  }

  private func identity(_ name: String) throws -> StreamIdentity {
    try OpenFile(music.folder.appending(name)).identity()
  }

  @Test(arguments: [0, 100_000, 500_001])
  func `DTS behind any silence is DTS`(_ silence: Int) throws {
    let bytes = try coded("-c:a dca -strict -2 -b:a 768k", as: "a.dts")
    let whole = try DecodedFile(music.folder.appending("a.dts"))
    let disc = try music.decoded(wav([UInt8](repeating: 0, count: silence) + bytes), as: "disc.wav")
    #expect(disc.mediaFormat.codec == .dts && disc.samples == whole.samples)
    #expect(try identity("disc.wav").hash == identity("a.dts").hash)
    // Libraries of before know such a file as samples.
    #expect(try (identity("disc.wav").replacedHash != nil) == (silence > 1 << 16))
    // A track of such a disc begins anywhere.
    let cut = try music.decoded(wav([UInt8](repeating: 0, count: silence) + bytes[700...]), as: "cut.wav")
    #expect(cut.mediaFormat.codec == .dts && whole.samples.suffix(80_000) == cut.samples.suffix(80_000))
  }

  @Test(arguments: [
    ("a.ac3", "-c:a ac3 -b:a 192k"), ("a.eac3", "-c:a eac3 -b:a 192k"), ("a.dts", "-c:a dca -strict -2 -b:a 768k"),
  ])
  func `bursts of IEC 61937 are the frames in them`(_ name: String, _ arguments: String) throws {
    _ = try coded(arguments, as: name)
    let whole = try DecodedFile(music.folder.appending(name))
    // The program writes words with the lowest byte first, and with the highest byte first if it is asked to.
    let bursts = [UInt8](try Data(contentsOf: music.ffmpeg("-i @\(name) -c copy -f spdif", to: "a.spdif")))
    for silence in [0, 200_000] {
      let file = try music.decoded(wav([UInt8](repeating: 0, count: silence) + bursts), as: "bursts.wav")
      #expect(file.outcome.state == .ok && file.mediaFormat.codec == whole.mediaFormat.codec)
      #expect(file.mediaFormat.container == .wav && file.samples == whole.samples)
    }
    let (found, bare) = (try identity("bursts.wav"), try identity(name))
    #expect(found.hash == bare.hash && found.replacedHash != nil)
    // The same in the other order, as AIFF has it.
    let swapped = stride(from: 0, to: bursts.count - 1, by: 2).flatMap { [bursts[$0 + 1], bursts[$0]] }
    try music.folder.write(wav(bursts), to: "plain.wav")
    let source = music.folder.appending("swapped.raw")
    try music.folder.write(swapped, to: "swapped.raw")
    try Tool.run(
      "ffmpeg",
      arguments: [
        "-v", "error", "-y", "-f", "s16be", "-ar", "44100", "-ac", "2", "-i", source.path,
        music.folder.appending("bursts.aiff").path,
      ])
    let aiff = try DecodedFile(music.folder.appending("bursts.aiff"))
    #expect(aiff.mediaFormat.codec == whole.mediaFormat.codec && aiff.samples == whole.samples)
    // A jump leads to the same samples.
    let open = try OpenFile(music.folder.appending("bursts.aiff"))
    let decoder = try open.decoder()
    for frame in [50_000, 10_000] {
      try decoder.seek(toFrame: Int64(frame))
      #expect(try decoder.readFrames(1000) == Array(whole.samples[2 * frame..<2 * frame + 2000]))
    }
  }

  @Test func `samples stay samples`() throws {
    let source = try DecodedFile(music.folder.appending("source.wav"))
    #expect(source.mediaFormat.codec == .pcmS16)
    #expect(try identity("source.wav").replacedHash == nil)
    let silent = try music.decoded(wav([UInt8](repeating: 0, count: 400_000)), as: "silent.wav")
    #expect(silent.mediaFormat.codec == .pcmS16 && silent.frameCount == 100_000)
  }
}
