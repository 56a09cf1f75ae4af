import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Files that are not what their names say, or are nearly empty.
struct ImpostorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func failure(_ bytes: [UInt8], named name: String) throws -> DecodingError? {
    try folder.write(bytes, to: name)
    do {
      let decoded = try DecodedFile(folder.appending(name))
      Issue.record("\(name) decodes to \(decoded.frameCount) frames: \(decoded.outcome)")
      return nil
    } catch let error as DecodingError { return error }
  }

  // Faults: 1
  @Test(arguments: ["wav", "flac", "mp3", "ogg", "opus", "aiff", "m4a", "wma", "ape", "x"])
  func `a file of zero bytes is empty`(_ pathExtension: String) throws {
    #expect(try failure([], named: "a.\(pathExtension)") == .empty(reason: "0 bytes"))
  }

  /// The missing part, and the format.
  private static let beginnings: [String: String] = [
    "RIFF....WAVE": "no fmt chunk in WAV", "RF64....WAVE": "no fmt chunk in RF64",
    "FORM....AIFF": "no COMM chunk in AIFF",
    "fLaC": "FLAC frame", "OggS": "Ogg page", "caff": "no desc chunk in CAF", ".snd": "AU header",
    "riff....................wave": "no fmt chunk in W64", "ID3": "an ID3 or APE tag longer than the file",
    "APETAGEX": "an ID3 or APE tag longer than the file",
  ]

  // Faults: 2
  @Test(arguments: beginnings.keys.sorted())
  func `the first bytes of a format alone are damaged, and the reason names the format and the missing part`(
    _ beginning: String
  ) throws {
    let mention = try #require(Self.beginnings[beginning])
    let error = try #require(try failure(Array(beginning.utf8), named: "a.bin"))
    #expect(error.state == .damaged)
    #expect(error.problem.reason.contains(mention))
  }

  private static let undecodable: [String: String] = [
    "wvpk": "WavPack", "TTA1": "True Audio", "MThd": "MIDI", "#!AMR": "AMR", "....ftypM4A ": "no movie box in MP4",
    ".RMF": "RealMedia", "OFR ": "OptimFROG", "ADIF": "AAC in ADIF",
  ]

  // Faults: 2
  @Test(arguments: undecodable.keys.sorted())
  func `the first bytes of a format without a decoder are unsupported, and the reason names it`(_ beginning: String)
    throws
  {
    let error = try #require(try failure(Array(beginning.utf8), named: "a.bin"))
    #expect(error.state == .unsupported)
    #expect(error.problem.code == "unsupported-codec")
    #expect(error.problem.reason.contains(try #require(Self.undecodable[beginning])))
  }

  @Test func `frames of LATM are unsupported, and the reason names them`() throws {
    let frame: [UInt8] = [0x56, 0xE0, 5, 0x20, 0x00, 0x11, 0x90, 0x01]
    #expect(try failure(frame + frame + frame, named: "a.aac") == .unsupported(reason: "no decoder for AAC in LATM"))
  }

  // Faults: 2
  @Test func `the first bytes of ASF alone are unsupported, and the reason names it`() throws {
    let header: [UInt8] = [
      0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    let error = try #require(try failure(header + [UInt8](repeating: 0, count: 14), named: "a.bin"))
    #expect(error == .unsupported(reason: "no audio stream in ASF"))
  }

  private static let foreign: [String: [UInt8]] = [
    "JPEG": [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46] + [UInt8](repeating: 7, count: 500),
    "PNG": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 500),
    "HTML": Array("<!DOCTYPE html><html><body>no sound</body></html>\n".utf8),
    "text": Array("Just a few words, without any sound.\n".utf8),
    "M3U playlist": Array("#EXTM3U\nhttp://example.org/a.mp3\n".utf8),
    "HLS playlist": Array("#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:9,\nhttp://example.org/a.ts\n".utf8),
    "PLS playlist": Array("[playlist]\nFile1=a.mp3\n".utf8),
    "cue sheet": Array("FILE \"a.wav\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n".utf8),
    "PDF": Array("%PDF-1.4\n".utf8),
  ]

  // Faults: 3, 37, 39
  @Test(arguments: foreign.keys.sorted())
  func `what is not audio is recognised under any extension`(_ what: String) throws {
    let bytes = try #require(Self.foreign[what])
    for name in ["a.mp3", "a.flac", "a.wav", "a.ogg"] {
      let error = try #require(try failure(bytes, named: name))
      #expect(error.state == .unsupported)
      #expect(error.problem.code == "not-audio")
      #expect(error.problem.reason.contains(what))
    }
  }

  // Faults: 37
  /// The sample description of a file that was bought with digital rights management.
  @Test(arguments: ["drms", "enca"])
  func `encrypted audio is unsupported, and called encrypted`(_ type: String) throws {
    func box(_ type: String, _ body: [UInt8]) -> [UInt8] { bigEndian(UInt32(body.count + 8)) + Array(type.utf8) + body }
    let entry = box(type, [UInt8](repeating: 0, count: 28) + box("sinf", box("frma", Array("mp4a".utf8))))
    let table = box("stbl", box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + entry))
    let handler = box("hdlr", [UInt8](repeating: 0, count: 8) + Array("soun".utf8) + [UInt8](repeating: 0, count: 12))
    let movie = box("moov", box("trak", box("mdia", handler + box("minf", table))))
    let error = try failure(box("ftyp", Array("M4P mp42".utf8)) + movie + box("mdat", [1, 2, 3]), named: "a.m4p")
    #expect(error == .unsupported(reason: "protected AAC in MP4 is encrypted"))
  }

  // Faults: 31
  @Test(arguments: ["mp3", "wav", "flac"])
  func `a large file of zeros is soon given up`(_ pathExtension: String) throws {
    try folder.write([], to: "a.\(pathExtension)")
    let url = folder.appending("a.\(pathExtension)")
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 4 << 30)
    try handle.close()
    #expect(throws: DecodingError.notAudio(what: "no audio frame in the first 2 MiB")) { try DecodedFile(url) }
  }

  // Faults: 4
  @Test func `FLAC under another name is decoded and the name noted`() throws {
    let file = try OpenFile(Corpora.fixtures.appending(path: "damaged/flac-inside.mp3"))
    #expect(try file.mediaFile().notes == ["extension-mismatch"])
    #expect(try file.mediaFile().content.container == .flac)
    #expect(try file.decoder().readAll().count == 32_000)
  }

  @Test func `a file that is cut at any byte fails only with a reason`() throws {
    for name in ["clean.mp3", "length-unknown.flac", "chained.ogg", "one-sample.wav", "streamed.wav"] {
      let bytes = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged").appending(path: name)))
      for length in Array(1..<min(bytes.count, 120)) + stride(from: 120, to: bytes.count, by: bytes.count / 20 + 1) {
        try folder.write(bytes.prefix(length), to: name)
        do {
          let decoded = try DecodedFile(folder.appending(name))
          #expect(decoded.outcome.state == .ok || decoded.outcome.problem != nil)
        } catch let error as DecodingError { #expect(!error.problem.reason.isEmpty) }
      }
    }
  }

  @Test(arguments: [
    "clean.mp3", "length-unknown.flac", "chained.ogg", "streamed.wav", "not-finite.wav", "tags-behind.mp3",
  ])
  func `random damage ends with a state, never with a trap`(_ name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged").appending(path: name)))
    var random = RepeatableRandom(seed: 78)
    for _ in 0..<60 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        // Half of the hits go to the headers at the start.
        let limit = Bool.random(using: &random) ? min(200, bytes.count) : bytes.count
        changed[Int.random(in: 0..<limit, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try folder.write(changed, to: name)
      let file = try OpenFile(folder.appending(name))
      _ = try file.streamHash()
      do {
        let decoder = try file.decoder()
        let samples = try decoder.readAll()
        #expect(!samples.contains { !$0.isFinite })
        try decoder.seek(toFrame: Int64.random(in: 0...200_000, using: &random))
        _ = try decoder.readFrames(2000)
      } catch let error as DecodingError { #expect(!error.problem.reason.isEmpty) }
    }
  }
}
