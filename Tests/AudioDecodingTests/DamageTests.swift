import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Damage that does not hide the rest: it stays in its place, and the file says where it is damaged.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct DamageTests {
  private let music: EncodedMusic

  init() throws { music = try EncodedMusic() }

  private func bytes(_ arguments: String, as name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: music.ffmpeg("-i @source.wav \(arguments)", to: name)))
  }

  // MARK: First packets

  /// Where the packets begin, by ffprobe.
  private func packets(of name: String) throws -> [(offset: Int, byteCount: Int)] {
    let text = try Tool.run(
      "ffprobe",
      arguments: [
        "-v", "error", "-select_streams", "a", "-show_entries", "packet=pos,size", "-of", "csv=p=0",
        music.folder.appending(name).path,
      ])
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      let numbers = line.split(separator: ",").compactMap { Int($0) }
      return numbers.count == 2 ? (numbers[1], numbers[0]) : nil
    }
  }

  @Test(arguments: [
    ("alac.m4a", "-c:a alac"), ("aac.m4a", "-c:a aac -aac_pns 0"), ("alac.caf", "-c:a alac"), ("a.tta", "-c:a tta"),
  ])
  func `packets at the start that do not decode are silence, and the rest stays in its place`(
    _ name: String, _ arguments: String
  ) throws {
    var bytes = try bytes(arguments, as: name)
    let whole = try DecodedFile(music.folder.appending(name))
    let packets = try packets(of: name)
    // Packets of True Audio last a second.
    for count in [1, 20, 40] where count < packets.count - 2 {
      for packet in packets[..<count] {
        for index in packet.offset..<packet.offset + packet.byteCount { bytes[index] = 0xFF }
      }
      let broken = try music.decoded(bytes, as: "broken-\(name)")
      #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == "undecodable")
      #expect(broken.outcome.problem?.positionInSeconds == 0)
      #expect(broken.frameCount == whole.frameCount && broken.format == whole.format)
      #expect(broken.samples.suffix(80_000) == whole.samples.suffix(80_000))
      // The first packet of AAC is trimmed.
      if count > 1 { #expect(broken.samples[1000..<2000].allSatisfy { $0 == 0 }) }
    }
  }

  @Test(arguments: [("a.mka", "-c:a ac3 -b:a 192k"), ("b.mka", "-c:a dca -strict -2 -b:a 768k")])
  func `frames in a container are searched for, too`(_ name: String, _ arguments: String) throws {
    var bytes = try bytes(arguments, as: name)
    let whole = try DecodedFile(music.folder.appending(name))
    let first = try #require(packets(of: name).first)
    // Behind the header of the block.
    let sync: [UInt8] = name == "a.mka" ? [0x0B, 0x77] : [0x7F, 0xFE]
    let place = try #require(bytes[first.offset...].prefix(64).firstRange(of: sync))
    for index in place.lowerBound..<place.lowerBound + 32 { bytes[index] = 0x55 }
    let broken = try music.decoded(bytes, as: "broken.mka")
    #expect(broken.frameCount > whole.frameCount - 2000)
    #expect(broken.samples.suffix(80_000) == whole.samples.suffix(80_000))
  }

  @Test func `a file none of whose packets decodes says so`() throws {
    var bytes = try bytes("-t 1 -c:a alac", as: "a.m4a")
    for packet in try packets(of: "a.m4a") {
      for index in packet.offset..<packet.offset + packet.byteCount { bytes[index] = 0xFF }
    }
    let error = #expect(throws: DecodingError.self) { try music.decoded(bytes, as: "b.m4a") }
    #expect(error?.state == .damaged && error?.problem.code == "undecodable")
  }

  // MARK: Windows Media

  /// Where the packets of the file lie, by the data object.
  private func mediaPackets(_ bytes: [UInt8]) throws -> Range<Int> {
    let data: [UInt8] = [
      0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    return try #require(bytes.firstRange(of: data)).lowerBound + 50..<bytes.count
  }

  /// How far two decodes differ at their ends, in blocks of the codec: 0 if the rest is in its place.
  private func shift(_ broken: DecodedFile, _ whole: DecodedFile) -> Int { broken.frameCount - whole.frameCount }

  @Test(arguments: ["wmav1", "wmav2"], TestSize.isSlow ? [2, 7, 13, 20] : [2, 20])
  func `what libavformat passes over is silence, and the rest stays in its place`(
    _ codec: String, _ kibibytes: Int
  ) throws {
    let original = try bytes("-c:a \(codec) -b:a 128k", as: "a.wma")
    let whole = try DecodedFile(music.folder.appending("a.wma"))
    let range = try mediaPackets(original)
    for place in [range.count / 3, range.count / 2 + 777] {
      var bytes = original
      let lost = range.lowerBound + place..<range.lowerBound + place + kibibytes << 10
      for index in lost { bytes[index] = 0 }
      let broken = try music.decoded(bytes, as: "zeros.wma")
      #expect(broken.outcome.state == .damaged)
      let position = try #require(broken.outcome.problem?.positionInSeconds)
      #expect(abs(position - 7.1 * Double(place) / Double(range.count)) < 0.5)
      #expect(shift(broken, whole) == 0)
      #expect(broken.samples.suffix(80_000) == whole.samples.suffix(80_000))
    }
  }

  @Test(arguments: TestSize.isSlow ? [3200, 6400, 9000, 20_000] : [3200, 20_000])
  func `packets that were removed from Windows Media are silence`(_ byteCount: Int) throws {
    var bytes = try bytes("-c:a wmav2 -b:a 128k", as: "a.wma")
    let whole = try DecodedFile(music.folder.appending("a.wma"))
    let place = try mediaPackets(bytes).lowerBound + 12 * 3200
    bytes.removeSubrange(place..<place + byteCount)
    let broken = try music.decoded(bytes, as: "removed.wma")
    #expect(broken.outcome.state == .damaged)
    #expect(shift(broken, whole) == 0)
    #expect(broken.samples.suffix(80_000) == whole.samples.suffix(80_000))
    // Ranges are those of a whole decode, with the silence.
    let file = try OpenFile(music.folder.appending("removed.wma"))
    let decoder = try file.decoder()
    for frame in [100_000, 40_000, 250_000] {
      try decoder.seek(toFrame: Int64(frame))
      #expect(try decoder.readFrames(1000) == Array(broken.samples[2 * frame..<2 * frame + 2000]))
    }
  }

  @Test(arguments: [3200, 2 * 3200, 10_000])
  func `packets of Windows Media that come twice, and bytes between them, are damage with its place`(
    _ byteCount: Int
  ) throws {
    let original = try bytes("-c:a wmav2 -b:a 128k", as: "a.wma")
    let range = try mediaPackets(original)
    let place = range.lowerBound + 12 * 3200
    var random = RepeatableRandom(seed: 12)
    let noise = (0..<byteCount + 5).map { _ in UInt8.random(in: 0...255, using: &random) }
    for extra in [Array(original[place - byteCount..<place]), noise] {
      let broken = try music.decoded(original[..<place] + extra + original[place...], as: "extra.wma")
      #expect(broken.outcome.state == .damaged)
      let position = try #require(broken.outcome.problem?.positionInSeconds)
      #expect(abs(position - 7.1 * Double(place - range.lowerBound) / Double(range.count)) < 0.5)
    }
  }

  @Test func `Windows Media that ends early is damaged at its end`() throws {
    let bytes = try bytes("-c:a wmav2 -b:a 128k", as: "a.wma")
    let whole = try DecodedFile(music.folder.appending("a.wma"))
    #expect(whole.outcome.state == .ok)
    // Whole packets of the file, of 3,200 bytes.
    let lost = 6 * 3200
    let zeros = [UInt8](repeating: 0, count: lost)
    for (rest, code) in [(bytes.dropLast(lost), "truncated"), (bytes.dropLast(lost) + zeros, "junk")] {
      let broken = try music.decoded(Array(rest), as: "early.wma")
      #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == code)
      let position = try #require(broken.outcome.problem?.positionInSeconds)
      #expect(position > 5 && position < 6.5)
      #expect(whole.samples.starts(with: broken.samples.dropLast(2 * 2048)))
    }
  }

  @Test func `packets of Windows Media at the start that do not decode do not hide the rest`() throws {
    var bytes = try bytes("-c:a wmav2 -b:a 128k", as: "a.wma")
    let whole = try DecodedFile(music.folder.appending("a.wma"))
    let range = try mediaPackets(bytes)
    for index in range.lowerBound..<range.lowerBound + 40_000 { bytes[index] = 0 }
    let broken = try music.decoded(bytes, as: "b.wma")
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.positionInSeconds == 0)
    #expect(broken.samples.suffix(80_000) == whole.samples.suffix(80_000))
    #expect(abs(shift(broken, whole)) <= 2048)
  }

  // MARK: Positions

  @Test(arguments: [("a.opus", "-c:a libopus -b:a 96k"), ("a.ogg", "-c:a libvorbis -q:a 4")], [Int64(0), 5000])
  func `positions that contradict the packets cut nothing`(_ file: (String, String), _ granule: Int64) throws {
    try music.ffmpeg("-i @source.wav \(file.1)", to: file.0)
    let whole = try DecodedFile(music.folder.appending(file.0))
    var pages = try OggPages(music.folder.appending(file.0))
    for number in pages.offsets.indices.dropFirst(2) { pages.setGranule(granule, ofPage: number) }
    let broken = try music.decoded(pages.bytes, as: "b-\(file.0)")
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == "positions")
    // The padding at the end, which only a position gives, is not cut; what is at the start is as before.
    #expect((0...2048).contains(broken.frameCount - whole.frameCount))
    #expect(broken.samples.starts(with: whole.samples.dropLast(4096)))
    let open = try OpenFile(music.folder.appending("b-\(file.0)"))
    let decoder = try open.decoder()
    for frame in [200_000, 3000] {
      try decoder.seek(toFrame: Int64(frame))
      #expect(try decoder.readFrames(1000) == Array(broken.samples[2 * frame..<2 * frame + 2000]))
    }
  }

  // MARK: Info frames

  /// mpg123 and FFmpeg give the frames of the source, whatever the number of frames says.
  @Test(arguments: [-1, -200, 1, 5, Int.min])
  func `a wrong number of frames in the info frame does not bring the padding back`(_ change: Int) throws {
    var bytes = try bytes("-c:a libmp3lame -b:a 128k -id3v2_version 0", as: "a.mp3")
    let place = try #require(bytes.firstRange(of: Array("Info".utf8))).upperBound + 4
    let count = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    let lie = change == .min ? UInt32.max : UInt32(count + change)
    bytes.replaceSubrange(place..<place + 4, with: bigEndian(lie))
    let decoded = try music.decoded(bytes, as: "b.mp3")
    #expect(decoded.frameCount == EncodedMusic.frameCount)
    #expect(decoded.outcome.state == .ok && decoded.outcome.notes == ["header-lies"])
  }
}
