import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

// Faults: 228
/// What a file holds besides the stream that is decoded.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct FileAccountTests {
  private let music: EncodedMusic

  init() throws { music = try EncodedMusic() }

  private func notes(_ url: URL) throws -> [String] {
    let file = try OpenFile(url)
    defer { withExtendedLifetime(file) {} }
    var media = try file.mediaFile()
    _ = try media.identify()
    return media.notes.filter { [ContentNote.otherStreams, ContentNote.surplus].contains($0) }
  }

  private func notes(_ bytes: [UInt8], _ name: String) throws -> [String] {
    try music.folder.write(bytes, to: name)
    return try notes(music.folder.appending(name))
  }

  private func bytes(_ url: URL) throws -> [UInt8] { try Array(Data(contentsOf: url)) }

  /// No run of one value, and no signature.
  private static let secret: [UInt8] = (0..<5_000).map { UInt8(truncatingIfNeeded: 37 * $0 + $0 / 32) & 0x7F }

  /// Endings and options of FFmpeg.
  private static let forms = [
    "wav", "rf64.wav -rf64 always", "bext.wav -write_bext 1 -metadata description=d", "ms.wav -c:a adpcm_ms",
    "mp3.wav -c:a libmp3lame", "aiff", "au", "caf", "alac.caf -c:a alac", "w64", "flac", "oga -c:a flac", "ogg", "opus",
    "mp3",
    "id3v1.mp3 -write_id3v1 1 -metadata title=t", "v24.mp3 -id3v2_version 4 -metadata title=t", "mp2", "m4a",
    "fast.m4a -movflags +faststart", "fragments.m4a -movflags frag_keyframe+empty_moov", "alac.m4a -c:a alac",
    "opus.mp4 -c:a libopus", "pcm.mov -c:a pcm_s16le", "flac.mka -c:a flac", "aac.mka -c:a aac", "wv.mka -c:a wavpack",
    "live.mka -c:a flac -live 1", "tta", "wv", "ac3", "eac3", "wma", "aac",
  ]

  private func encoded(_ form: String, options: String = "", to prefix: String = "a") throws -> URL {
    let words = form.split(separator: " ", maxSplits: 1).map(String.init)
    return try music.ffmpeg("-i @source.wav \(options) \(words.dropFirst().joined())", to: "\(prefix).\(words[0])")
  }

  @Test(arguments: forms) func `an ordinary file has no note`(form: String) throws {
    #expect(try notes(encoded(form)) == [])
  }

  @Test(arguments: ["mp3", "m4a", "flac", "mka"]) func `a cover and chapters are no other content`(_ form: String)
    throws
  {
    try music.ffmpeg("-f lavfi -i testsrc=s=64x64:d=1 -frames:v 1", to: "cover.png")
    try music.folder.write(
      Array(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\ntitle=One\n".utf8), to: "chapters.txt")
    let file = try music.ffmpeg(
      "-i @source.wav -i @cover.png -f ffmetadata -i @chapters.txt -map 0:a -map 1:v -map_chapters 2 -c:v copy "
        + "-disposition:v attached_pic", to: "a.\(form)")
    #expect(try notes(file) == [])
  }

  @Test(arguments: [
    "flac.mka -c:a flac", "m4a", "fragments.m4a -movflags frag_keyframe+empty_moov", "ogg", "oga -c:a flac", "wma",
  ])
  func `a second sound is another stream`(form: String) throws {
    try music.ffmpeg("-f lavfi -i sine=300:d=3", to: "other.wav")
    #expect(try notes(encoded(form, options: "-i @other.wav -map 0 -map 1")).contains(ContentNote.otherStreams))
  }

  @Test(arguments: ["mkv -c:a flac -c:v mpeg4", "mp4 -c:v mpeg4", "ogv -c:v libtheora"])
  func `a film is another stream`(form: String) throws {
    let file = try encoded(form, options: "-f lavfi -i testsrc=s=64x64:d=2 -map 0 -map 1")
    #expect(try notes(file).contains(ContentNote.otherStreams))
  }

  /// At another rate, so that frames of the second one are none of the first. FLAC shows when it is decoded.
  @Test(arguments: [
    "wav", "aiff", "au", "caf", "w64", "mp3", "mp2", "m4a", "aac.mka -c:a aac", "tta", "ac3", "wma", "aac",
  ])
  func `a second file behind the first is surplus`(form: String) throws {
    let first = try bytes(encoded(form))
    let second = try bytes(encoded(form, options: "-ar 48000", to: "b"))
    let name = form.split(separator: " ")[0]
    #expect(try notes(first + second, "joined.\(name)").contains(ContentNote.surplus))
    #expect(try notes(first + [UInt8](repeating: 0, count: 100_000), "padded.\(name)") == [])
  }

  @Test(arguments: ["wav", "flac", "mp3", "m4a", "aac.mka -c:a aac", "ogg", "tta"])
  func `a file that only lacks its end has no note`(form: String) throws {
    let whole = try bytes(encoded(form))
    #expect(try notes(Array(whole.prefix(2 * whole.count / 3)), "cut.\(form.split(separator: " ")[0])") == [])
  }

  // MARK: - In the structure

  @Test func `chunks that nobody knows, a second one with sound, and padding with content are surplus`() throws {
    let format = ChunkBytes.chunk("fmt ", ChunkBytes.format(sampleRateInHz: 8000))
    let sound = ChunkBytes.chunk("data", [UInt8](repeating: 7, count: 20_000))
    let secret = Self.secret
    for name in ["what", "JUNK", "PAD ", "data"] {
      let file = ChunkBytes.riff(format, sound, ChunkBytes.chunk(name, secret))
      #expect(try notes(file, "a.wav") == [ContentNote.surplus])
    }
    for name in ["LIST", "bext", "id3 ", "cart", "iXML"] {
      let body = name == "LIST" ? Array("INFO".utf8) + secret : secret
      #expect(try notes(ChunkBytes.riff(format, ChunkBytes.chunk(name, body), sound), "a.wav") == [])
    }
    let padding = [UInt8](repeating: 0, count: 5_000)
    #expect(try notes(ChunkBytes.riff(format, ChunkBytes.chunk("JUNK", padding), sound), "a.wav") == [])
  }

  @Test func `boxes that nobody knows, filler with content, and media data of no sample are surplus`() throws {
    let file = try bytes(encoded("m4a"))
    func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(littleEndian(UInt32(8 + body.count)).reversed()) + Array(name.utf8) + body
    }
    for name in ["free", "mdat", "what"] {
      #expect(try notes(file + box(name, Self.secret), "a.m4a") == [ContentNote.surplus])
      #expect(try notes(file + box(name, [UInt8](repeating: 0, count: 5_000)), "a.m4a") == [])
    }
  }

  @Test func `sound that an edit list cuts off is surplus`() throws {
    var file = try bytes(encoded("m4a"))
    let list = try #require(file.firstRange(of: Array("elst".utf8))).lowerBound
    // Version and number of entries, then duration and start of the first one.
    file.replaceSubrange(list + 16..<list + 20, with: littleEndian(UInt32(200_000)).reversed())
    #expect(try notes(file, "a.m4a") == [ContentNote.surplus])
  }

  @Test func `padding of FLAC with content, and blocks that nobody knows, are surplus`() throws {
    let file = try bytes(encoded("flac"))
    let blocks: [(type: UInt8, body: [UInt8], expected: [String])] = [
      (1, Self.secret, [ContentNote.surplus]), (1, [UInt8](repeating: 0, count: 5_000), []),
      (2, Array("what".utf8) + Self.secret, [ContentNote.surplus]), (9, Self.secret, [ContentNote.surplus]),
    ]
    for (type, body, expected) in blocks {
      let length = Array(littleEndian(UInt32(body.count)).reversed().dropFirst())
      let block = [type] + length + body
      // Behind the mark and STREAMINFO.
      #expect(try notes(Array(file[..<42]) + block + Array(file[42...]), "a.flac") == expected)
    }
  }

  @Test func `content behind the frames of an ID3v2 tag is surplus`() throws {
    let file = try bytes(encoded("mp3", options: "-metadata title=t"))
    func tag(_ padding: [UInt8]) -> [UInt8] {
      let frame: [UInt8] = Array("TIT2".utf8) + [0, 0, 0, 2, 0, 0, 0, 0x41]
      let size = frame.count + padding.count
      let digits = [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
      return Array("ID3".utf8) + [3, 0, 0] + digits + frame + padding
    }
    #expect(try notes(tag([0, 0, 0, 0] + Self.secret) + file, "a.mp3") == [ContentNote.surplus])
    #expect(try notes(tag([UInt8](repeating: 0, count: 5_000)) + file, "a.mp3") == [])
    #expect(try notes(file + tag([0, 0, 0, 0] + Self.secret), "b.mp3") == [ContentNote.surplus])
  }

  @Test func `filler and attachments of Matroska with content are surplus`() throws {
    let file = try bytes(encoded("flac.mka -c:a flac -live 1"))
    let size: [UInt8] = [0x40 | UInt8(Self.secret.count >> 8), UInt8(Self.secret.count & 0xFF)]
    #expect(try notes(file + [0xEC] + size + Self.secret, "a.mka") == [ContentNote.surplus])
    #expect(try notes(file + [0xEC] + size + [UInt8](repeating: 0, count: Self.secret.count), "a.mka") == [])
    try music.ffmpeg("-i @source.wav", to: "hidden.mp3")
    let attached = try music.ffmpeg(
      "-i @source.wav -attach @hidden.mp3 -metadata:s:t mimetype=audio/mpeg -c:a flac", to: "attached.mka")
    #expect(try notes(attached) != [])
  }

  @Test func `what lies behind the sound of DSD is surplus`() throws {
    let tone = DSDFiles.tone(byteCount: 40_960, rate: 2_822_400, frequencyInHz: 1000, amplitude: 0.4)
    let (dsf, dsdiff) = (DSDFiles.dsf([tone], rate: 2_822_400), DSDFiles.dsdiff([tone], rate: 2_822_400))
    for (name, file) in [("a.dsf", dsf), ("a.dff", dsdiff)] {
      #expect(try notes(file, name) == [])
      #expect(try notes(file + file, name) == [ContentNote.surplus])
    }
  }

  @Test(.enabled(if: Tool.exist("mpcenc"), "mpcenc is not installed"))
  func `what lies behind the packets of Musepack is surplus`() throws {
    let (source, target) = (music.folder.appending("source.wav"), music.folder.appending("a.mpc"))
    try Tool.run("mpcenc", arguments: ["--silent", "--overwrite", source.path, target.path])
    let file = try bytes(target)
    #expect(try notes(target) == [])
    #expect(try notes(file + file, "b.mpc") == [ContentNote.surplus])
  }
}
