import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Packets in Core Audio files: ALAC as FFmpeg writes it, AAC in made-up files that FFmpeg reads, too.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct CAFPacketsTests {
  private let music: EncodedMusic

  init() throws { music = try EncodedMusic() }

  @Test(arguments: ["s16p", "s32p"])
  func `ALAC of FFmpeg is the stream and the samples that it is in MP4`(_ samples: String) throws {
    let copy = try music.ffmpeg("-i @source.wav -c:a alac -sample_fmt \(samples)", to: "a.caf")
    let own = try music.ffmpeg("-i @a.caf -c copy", to: "a.m4a")
    let decoded = try DecodedFile(copy)
    #expect(decoded.outcome.state == .ok && decoded.outcome.notes == [])
    #expect(decoded.mediaFormat.container == .caf && decoded.mediaFormat.codec == .alac)
    // Its table counts the last packet as if it were full.
    #expect(decoded.mediaFormat.declaredFrameCount == nil && decoded.frameCount == EncodedMusic.frameCount)
    #expect(try decoded.samples == DecodedFile(music.folder.appending("source.wav")).samples)
    #expect(try OpenFile(copy).identity().hash == OpenFile(own).identity().hash)
    #expect(try OpenFile(copy).identity().hashVersion == 2)
    let source = music.folder.appending("source.wav")
    #expect(try music.sampleHash(copy) != nil && music.sampleHash(copy) == music.sampleHash(source))
  }

  @Test func `its texts are tags under their usual names`() throws {
    let file = try music.ffmpeg(
      "-i @source.wav -c:a alac -metadata title=Crimp -metadata track=7 -metadata date=2025 -metadata album_artist=Ä",
      to: "a.caf")
    let tags = try OpenFile(file).tags().tags
    #expect(tags["TITLE"] == ["Crimp"] && tags["TRACKNUMBER"] == ["7"] && tags["DATE"] == ["2025"])
    #expect(tags["ALBUMARTIST"] == ["Ä"])
  }

  /// Packets of AAC LC at 44.1 kHz, stereo, and the file that they are from.
  private func packets() throws -> (packets: [[UInt8]], bare: URL) {
    let bare = try music.ffmpeg("-i @source.wav -c:a aac -b:a 96k", to: "a.aac")
    return (ADTSBytes.packets(of: [UInt8](try Data(contentsOf: bare))), bare)
  }

  private func caf(_ packets: [[UInt8]], delay: Int = 0, frameCount: Int = 0, isDescribed: Bool = true) -> [UInt8] {
    var file = CAFBytes(packets)
    (file.delayFrameCount, file.frameCount, file.isDescribed) = (delay, frameCount, isDescribed)
    return file.bytes
  }

  @Test func `AAC is the stream that it is elsewhere, and the table says what is the recording`() throws {
    let (packets, bare) = try packets()
    let whole = try DecodedFile(bare)
    let decoded = try music.decoded(
      caf(packets, delay: 1024, frameCount: EncodedMusic.frameCount), as: "a.caf")
    #expect(decoded.outcome.state == .ok && decoded.outcome.notes == [])
    #expect(decoded.mediaFormat.container == .caf && decoded.mediaFormat.codec == .aac)
    #expect(decoded.frameCount == EncodedMusic.frameCount && decoded.mediaFormat.delayFrameCount == 1024)
    #expect(decoded.samples[...] == whole.samples.dropFirst(2 * 1024).prefix(decoded.samples.count))
    let file = music.folder.appending("a.caf")
    #expect(try OpenFile(file).identity().hash == OpenFile(bare).identity().hash)
    #expect(try OpenFile(file).identity().declaration.delayFrameCount == 1024)
    // Another program finds the same packets.
    let oracle = try music.floats(file)
    #expect(oracle.count >= decoded.samples.count && whole.samples.suffix(20_000) == oracle.suffix(20_000))
  }

  @Test func `a file that is cut gives what is there, and says what is missing`() throws {
    let (packets, bare) = try packets()
    let whole = try DecodedFile(bare)
    var bytes = caf(packets, delay: 1024, frameCount: EncodedMusic.frameCount)
    // The table stands behind the packets; its last sizes are gone.
    bytes.removeLast(100)
    let cut = try music.decoded(bytes, as: "cut.caf")
    #expect(cut.outcome.state == .damaged && cut.outcome.problem?.code == "truncated")
    #expect(whole.samples.dropFirst(2 * 1024).starts(with: cut.samples) && cut.frameCount > 200_000)
  }

  @Test func `without its configuration it says so`() throws {
    try music.folder.write(caf(try packets().packets, isDescribed: false), to: "a.caf")
    let file = try OpenFile(music.folder.appending("a.caf"))
    #expect(throws: DecodingError.self) { try file.decoder() }
    #expect(try file.identity().byteCount > 0)
  }

  @Test func `any range equals the whole decode`() throws {
    let (packets, _) = try packets()
    let whole = try music.decoded(caf(packets, delay: 1024, frameCount: EncodedMusic.frameCount), as: "a.caf")
    let file = try OpenFile(music.folder.appending("a.caf"))
    let decoder = try file.decoder()
    var random = RepeatableRandom(seed: 5)
    for _ in 0..<100 {
      let frame = Int.random(in: 0...whole.frameCount, using: &random)
      try decoder.seek(toFrame: Int64(frame))
      #expect(try decoder.readFrames(500) == Array(whole.samples[(2 * frame)...].prefix(1000)), "frame \(frame)")
    }
  }

  @Test func `changed bytes anywhere are never worse than damage`() throws {
    let bytes = caf(Array(try packets().packets.prefix(40)), delay: 1024, frameCount: 39_000)
    try music.folder.readMutations(of: bytes, as: "b.caf", count: 300, seed: 64)
  }
}
