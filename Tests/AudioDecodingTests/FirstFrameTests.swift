import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Bare streams that do not begin with a whole frame, with FFmpeg's program as oracle.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct FirstFrameTests {
  private let music: EncodedMusic

  init() throws { music = try EncodedMusic() }

  struct Stream: CustomTestStringConvertible {
    let name: String
    let arguments: String
    /// Frames of sound that a frame gives.
    let frameCount: Int
    var testDescription: String { name }

    static let all = [
      Stream(name: "a.aac", arguments: "-c:a aac -b:a 128k -aac_pns 0", frameCount: 1024),
      Stream(name: "a.ac3", arguments: "-c:a ac3 -b:a 192k", frameCount: 1536),
      Stream(name: "a.eac3", arguments: "-c:a eac3 -b:a 192k", frameCount: 1536),
      Stream(name: "a.dts", arguments: "-c:a dca -strict -2 -b:a 768k", frameCount: 512),
      Stream(name: "a.mp2", arguments: "-c:a mp2 -b:a 192k", frameCount: 1152),
      Stream(name: "a.mp3", arguments: "-c:a libmp3lame -b:a 128k -write_xing 0 -id3v2_version 0", frameCount: 1152),
    ]
    static let surround = Array(all[..<4])
  }

  private func make(_ stream: Stream) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: music.ffmpeg("-i @source.wav -t 2 \(stream.arguments)", to: stream.name)))
  }

  /// What may stand before the first frame.
  private static let starts: [(name: String, bytes: [UInt8])] = [
    ("four blanks", [0x20, 0x20, 0x20, 0x20]), ("one zero", [0]),
    ("a text with sync words", [0xFF, 0xF1, 0x0B, 0x77, 0x7F, 0xFE, 0x80, 0x01, 0xFF, 0xFB]),
    ("noise", (0..<5000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }),
  ]

  @Test(arguments: Stream.surround)
  func `what is before the first frame adds nothing and takes nothing`(_ stream: Stream) throws {
    let bytes = try make(stream)
    let whole = try DecodedFile(music.folder.appending(stream.name))
    let hash = try OpenFile(music.folder.appending(stream.name)).identity().hash
    for (name, start) in Self.starts {
      let decoded = try music.decoded(start + bytes, as: "b-\(stream.name)")
      #expect(decoded.samples == whole.samples, "\(name)")
      #expect(decoded.outcome.state == .ok && decoded.mediaFormat.codec == whole.mediaFormat.codec)
      #expect(try OpenFile(music.folder.appending("b-\(stream.name)")).identity().hash == hash)
    }
  }

  private static let page = Array("<!DOCTYPE html><html><body>Not Found</body></html>\n".utf8)

  @Test(arguments: Stream.all) func `a page of a server before a stream leaves it`(_ stream: Stream) throws {
    let bytes = try make(stream)
    let whole = try DecodedFile(music.folder.appending(stream.name))
    let decoded = try music.decoded(Self.page + bytes, as: "b-\(stream.name)")
    #expect(decoded.samples.suffix(40_000) == whole.samples.suffix(40_000))
    #expect(abs(decoded.frameCount - whole.frameCount) <= stream.frameCount && decoded.outcome.state == .ok)
    try music.folder.write(Self.page + Self.page, to: "page.mp3")
    #expect(try OpenFile(music.folder.appending("page.mp3")).mediaFile().content.name == "HTML")
  }

  // MARK: Streams with a marker

  static let marked = [
    "-c:a flac a.flac", "-c:a libvorbis -q:a 4 a.ogg", "-c:a libopus -b:a 64k a.opus", "-c:a flac -f ogg a.oga",
    "-c:a libspeex -ar 16000 -ac 1 a.spx",
  ]

  private func encode(_ arguments: String) throws -> (name: String, bytes: [UInt8]) {
    let words = arguments.split(separator: " ")
    let name = String(words[words.count - 1])
    let options = words.dropLast().joined(separator: " ")
    let file = try music.ffmpeg("-i @source.wav -t 2 -metadata title=Harbour \(options)", to: name)
    return (name, [UInt8](try Data(contentsOf: file)))
  }

  @Test(arguments: marked) func `what is before a marker adds nothing and takes nothing`(_ arguments: String) throws {
    let (name, bytes) = try encode(arguments)
    let file = music.folder.appending(name)
    let (whole, hash) = (try DecodedFile(file), try OpenFile(file).identity().hash)
    func tag(_ error: Int) -> [UInt8] {
      let body = TagBytes.textFrame("TCOP", "Nobody") + [UInt8](repeating: 0, count: 500)
      return Array("ID3".utf8) + [3, 0, 0] + TagBytes.synchsafe(body.count + error) + body
    }
    let tags = [-500, -7, -1, 0, 1, 10, 2000].map { ("a tag wrong by \($0)", tag($0)) }
    let others = [
      ("a line", [0x0D, 0x0A]), ("a mark of UTF-8", [0xEF, 0xBB, 0xBF]), ("a page", Self.page),
      ("blanks and a tag", [0x20, 0x20] + tag(0)), ("a tag and blanks", tag(0) + [0x20, 0x20]),
    ]
    for (start, bytesBefore) in Self.starts + tags + others {
      let decoded = try music.decoded(bytesBefore + bytes, as: "b-\(name)")
      #expect(decoded.samples == whole.samples, "\(start)")
      #expect(decoded.outcome.state == .ok && decoded.mediaFormat.container == whole.mediaFormat.container, "\(start)")
      let file = try OpenFile(music.folder.appending("b-\(name)"))
      var opened = try file.mediaFile()
      #expect(try opened.identify().hash == hash, "\(start)")
      let isContent = ["a text with sync words", "noise"].contains(start)
      #expect(!isContent || bytesBefore.count < 64 || opened.notes.contains(ContentNote.surplus), "\(start)")
      let read = try withExtendedLifetime(file) { try file.tags().tags }
      #expect(read["TITLE"] == ["Harbour"], "\(start)")
      #expect(!start.contains("tag") || start.contains("wrong") || read["COPYRIGHT"] == ["Nobody"], "\(start)")
    }
  }

  /// FFmpeg drops the frame that was cut, and decodes what follows.
  @Test func `FLAC without its start gives the frames that are whole`() throws {
    let (_, bytes) = try encode("-c:a flac a.flac")
    let whole = try DecodedFile(music.folder.appending("a.flac"))
    var random = RepeatableRandom(seed: 9)
    let cuts = [1, 4, 50] + (0..<3).map { _ in Int.random(in: 9000...60_000, using: &random) }
    for cut in cuts {
      let decoded = try music.decoded(Array(bytes[cut...]), as: "cut.flac")
      let oracle = try music.floats(music.folder.appending("cut.flac")).count / 2
      #expect(decoded.frameCount == oracle && decoded.frameCount > 30_000, "cut at \(cut)")
      #expect(decoded.samples.elementsEqual(whole.samples.suffix(decoded.samples.count)), "cut at \(cut)")
      #expect(decoded.outcome.state == .damaged && decoded.outcome.problem?.code == "no-streaminfo")
    }
  }

  /// A tag that says one byte less or more than it has.
  @Test(arguments: Stream.surround, [-1, 1])
  func `a tag with a wrong size leaves the frames behind it`(_ stream: Stream, _ error: Int) throws {
    let bytes = try make(stream)
    let whole = try DecodedFile(music.folder.appending(stream.name))
    var tag = TagBytes.id3v2(TagBytes.textFrame("TIT2", "Blanks"))
    tag[9] = UInt8(Int(tag[9]) + error)
    let decoded = try music.decoded(tag + bytes, as: "b-\(stream.name)")
    let missing = whole.frameCount - decoded.frameCount
    #expect(missing == (error < 0 ? 0 : stream.frameCount))
    #expect(decoded.samples.suffix(40_000) == whole.samples.suffix(40_000))
  }

  /// The generator: a stream that begins in the middle of a frame. Every byte of the first two frames in `make test-slow`.
  @Test(arguments: Stream.all)
  func `a stream that is cut at any byte gives what FFmpeg gives of it`(_ stream: Stream) throws {
    let bytes = try make(stream)
    let whole = try DecodedFile(music.folder.appending(stream.name))
    var random = RepeatableRandom(seed: 47)
    let cuts = TestSize.isSlow ? Array(1...1500) : (0..<2).map { _ in Int.random(in: 1...1500, using: &random) }
    for cut in cuts {
      let decoded = try music.decoded(Array(bytes[cut...]), as: "cut-\(stream.name)")
      let oracle = try music.floats(music.folder.appending("cut-\(stream.name)")).count / 2
      // FFmpeg drops the first frame of MPEG audio whose main data is cut off, and gives the rest of a frame as silence.
      #expect(abs(decoded.frameCount - oracle) <= 2 * stream.frameCount, "cut at \(cut)")
      #expect(decoded.samples.suffix(40_000) == whole.samples.suffix(40_000), "cut at \(cut)")
      #expect(decoded.outcome.state == .ok)
    }
  }

  /// Samples of soft noise have the first byte of a header at every other place.
  @Test func `noise is no MPEG audio, however soft it is`() throws {
    var random = RepeatableRandom(seed: 20)
    for number in 0..<TestSize.count(30, slow: 1_000) {
      let level = [100, 1_000, 8_000][number % 3]
      let samples = (0..<Int.random(in: 2_000...50_000, using: &random)).map { _ in
        Int16(Int.random(in: -level...level, using: &random))
      }
      let noise = samples.flatMap { number % 2 == 0 ? bigEndian($0) : littleEndian($0) }
      try music.folder.write(Array("XYZ1".utf8) + noise, to: "noise.mp3")
      #expect(throws: DecodingError.self, "\(number)") { try OpenFile(music.folder.appending("noise.mp3")).decoder() }
    }
  }

  @Test func `noise and texts are no stream`() throws {
    var random = RepeatableRandom(seed: 3)
    let noise = (0..<(TestSize.isSlow ? 8_000_000 : 400_000)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = Array(String(repeating: "DTS or AC-3, 0x0B77. ", count: 5000).utf8)
    for bytes in [noise, text] {
      try music.folder.write(bytes, to: "n")
      #expect(try OpenFile(music.folder.appending("n")).mediaFile().content.kind == .other)
    }
  }

  /// Of a program stream, whose sound is in pieces with headers between them.
  @Test func `a few frames among other data are no stream`() throws {
    let bytes = try make(Stream.all[1])
    let video = [UInt8](repeating: 0xB3, count: 3000)
    let pieces = stride(from: 0, to: 20_000, by: 2048).flatMap { video + bytes[$0..<$0 + 2048] }
    try music.folder.write(video + pieces, to: "p")
    #expect(try OpenFile(music.folder.appending("p")).mediaFile().content.container != .ac3)
  }

  @Test(arguments: Stream.all)
  func `sound that was overwritten at an end is damage with its place`(_ stream: Stream) throws {
    var bytes = try make(stream)
    let whole = try DecodedFile(music.folder.appending(stream.name))
    let keep = bytes.count * 6 / 10
    let late = Array(bytes[..<keep]) + [UInt8](repeating: 0, count: bytes.count - keep)
    let end = try music.decoded(late, as: "end-\(stream.name)")
    #expect(end.outcome.state == .damaged && end.outcome.problem?.code == "junk")
    #expect(whole.samples.starts(with: end.samples.dropLast(2 * 2 * stream.frameCount)))
    let position = try #require(end.outcome.problem?.positionInSeconds)
    #expect(position > 1 && position < 1.4)
    for index in 0..<bytes.count / 2 { bytes[index] = 0 }
    let start = try music.decoded(bytes, as: "start-\(stream.name)")
    #expect(start.outcome.state == .damaged && start.outcome.problem?.positionInSeconds == 0)
    #expect(start.samples.suffix(40_000) == whole.samples.suffix(40_000))
    // Less than half a second may be padding.
    let padded = try music.decoded(try make(stream) + [UInt8](repeating: 0, count: 4000), as: "padded-\(stream.name)")
    #expect(padded.outcome.state == .ok && padded.frameCount == whole.frameCount)
  }
}
