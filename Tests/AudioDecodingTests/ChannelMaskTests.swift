import Foundation
import MediaModel
import Testing
import TestSupport

/// The loudspeakers of the channels, if a file gives them.
struct ChannelMaskTests {
  private static let masks: [(UInt32, Int)] = [(0x0F, 4), (0x107, 4), (0x0B, 3), (0x707, 6), (0x63F, 8)]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func wave(mask: UInt32, channelCount: Int) throws -> URL {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let data = [UInt8](repeating: 0, count: 2 * channelCount * 100)
    let format =
      number(0xFFFE, 2) + number(channelCount, 2) + number(48_000, 4) + number(48_000 * 2 * channelCount, 4)
      + number(2 * channelCount, 2) + number(16, 2) + number(22, 2) + number(16, 2) + number(Int(mask), 4)
      + number(1, 2) + [0, 0, 0, 0, 16, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let body =
      Array("WAVEfmt ".utf8) + number(format.count, 4) + format + Array("data".utf8) + number(data.count, 4) + data
    let url = folder.appending("\(mask).wav")
    try Data(Array("RIFF".utf8) + number(body.count, 4) + body).write(to: url)
    return url
  }

  @Test(arguments: masks) func `WAV gives them in its format chunk`(mask: UInt32, channelCount: Int) throws {
    #expect(try DecodedFile(wave(mask: mask, channelCount: channelCount)).format.channelMask == mask)
  }

  @Test(.enabled(if: Tool.exist("flac", "metaflac"), "the tools of FLAC are not installed"), arguments: masks)
  func `FLAC gives them in a comment`(mask: UInt32, channelCount: Int) throws {
    let url = folder.appending("x.flac")
    try Tool.run(
      "flac", "--silent", "--channel-map=none", "-o", url.path, try wave(mask: mask, channelCount: channelCount).path)
    try Tool.run("metaflac", "--remove-tag=WAVEFORMATEXTENSIBLE_CHANNEL_MASK", "--set-tag=COMMENT=some", url.path)
    #expect(try DecodedFile(url).format.channelMask == nil)
    let text = String(mask, radix: 16)
    for (name, value) in [
      ("WAVEFORMATEXTENSIBLE_CHANNEL_MASK", "0x\(text)"), ("WaveFormatExtensible_Channel_Mask", "0X0\(text)"),
    ] {
      try Tool.run("metaflac", "--remove-tag=WAVEFORMATEXTENSIBLE_CHANNEL_MASK", "--set-tag=\(name)=\(value)", url.path)
      #expect(try DecodedFile(url).format.channelMask == mask, "\(name)=\(value)")
    }
  }

  /// With comments that fill more than one page.
  @Test(.enabled(if: Tool.exist("flac"), "flac is not installed"), arguments: masks)
  func `FLAC in Ogg gives them in a comment, too`(mask: UInt32, channelCount: Int) throws {
    // From a mask in WAV, flac writes the comment itself.
    let wave = try wave(mask: 0, channelCount: channelCount).path
    let (with, without) = (folder.appending("with.oga"), folder.appending("without.oga"))
    let options = [
      "--silent", "--ogg", "--channel-map=none", "--tag=COMMENT=" + String(repeating: "x", count: 100_000),
    ]
    try Tool.run("flac", arguments: options + ["-o", without.path, wave])
    #expect(try DecodedFile(without).format.channelMask == nil)
    let comment = "--tag=WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x" + String(mask, radix: 16)
    try Tool.run("flac", arguments: options + [comment, "-o", with.path, wave])
    #expect(try DecodedFile(with).format.channelMask == mask)
  }

  @Test(arguments: [0, 0x3, UInt32.max]) func `a mask for another number of channels is ignored`(mask: UInt32) throws {
    #expect(try DecodedFile(wave(mask: mask, channelCount: 4)).format.channelMask == nil)
  }

  @Test func `the same bytes for other loudspeakers are another recording`() throws {
    func hash(_ mask: UInt32, _ channelCount: Int) throws -> ContentHash {
      try OpenFile(wave(mask: mask, channelCount: channelCount)).streamHash()
    }
    #expect(try hash(0x7, 3) != hash(0xB, 3))
    #expect(try hash(0x7, 3) == hash(0, 3))
    // 5.1 with the last two at the back or at the sides: usually the same.
    #expect(try hash(0x3F, 6) == hash(0x60F, 6))
    #expect(try hash(0x3F, 6) != hash(0x707, 6))
  }
}
