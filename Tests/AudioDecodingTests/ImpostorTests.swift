import AudioDecoding
import Foundation
import MediaModel
import TestSupport
import Testing

/// Files that are not what their names say, or nearly nothing.
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

  @Test(arguments: ["wav", "flac", "mp3", "ogg", "opus", "aiff", "m4a", "wma", "ape", "x"])
  func `a file of zero bytes is empty`(_ pathExtension: String) throws {
    #expect(try failure([], named: "a.\(pathExtension)") == .empty(reason: "0 bytes"))
  }

  /// With what is missing.
  private static let beginnings: [String: String] = [
    "RIFF....WAVE": "fmt", "FORM....AIFF": "COMM", "fLaC": "FLAC", "OggS": "Ogg", "caff": "desc", ".snd": "AU",
    "RF64....WAVE": "fmt",
  ]

  @Test(arguments: beginnings.keys.sorted())
  func `the first bytes of a format alone are damaged, with the missing part named`(_ beginning: String) throws {
    let mention = try #require(Self.beginnings[beginning])
    let error = try #require(try failure(Array(beginning.utf8), named: "a.bin"))
    #expect(error.state == .damaged)
    #expect(error.problem.reason.contains(mention))
  }

  @Test(arguments: ["MAC ", "wvpk", "MPCK", "TTA1", "....ftypM4A ", "MThd", "IMPM", "#!AMR"])
  func `the first bytes of a format without a decoder are unsupported`(_ beginning: String) throws {
    let error = try #require(try failure(Array(beginning.utf8), named: "a.bin"))
    #expect(error.state == .unsupported)
    #expect(error.problem.code == "unsupported-codec")
  }

  private static let foreign: [String: [UInt8]] = [
    "JPEG": [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46] + [UInt8](repeating: 7, count: 500),
    "PNG": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 500),
    "HTML": Array("<!DOCTYPE html><html><body>no sound</body></html>\n".utf8),
    "text": Array("Just a few words, without any sound.\n".utf8),
    "playlist": Array("#EXTM3U\nhttp://example.org/a.mp3\n".utf8),
    "PDF": Array("%PDF-1.4\n".utf8),
  ]

  @Test(arguments: foreign.keys.sorted())
  func `what is no audio is called by its name under any extension`(_ what: String) throws {
    let bytes = try #require(Self.foreign[what])
    for name in ["a.mp3", "a.flac", "a.wav", "a.ogg"] {
      let error = try #require(try failure(bytes, named: name))
      #expect(error.state == .unsupported)
      #expect(error.problem.code == "not-audio")
      #expect(error.problem.reason.contains(what))
    }
  }

  @Test(arguments: ["mp3", "wav", "flac"])
  func `a large file of zeros is given up soon`(_ pathExtension: String) throws {
    try folder.write([], to: "a.\(pathExtension)")
    let url = folder.appending("a.\(pathExtension)")
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 4 << 30)
    try handle.close()
    #expect(throws: DecodingError.notAudio(what: "no audio frame in the first 2 MiB")) { try DecodedFile(url) }
  }

  @Test func `FLAC under another name is decoded and the name noted`() throws {
    let file = try OpenFile(Corpora.fixtures.appending(path: "damaged/flac-inside.mp3"))
    #expect(try file.mediaFile().notes == ["extension-mismatch"])
    #expect(try file.mediaFile().content.container == .flac)
    #expect(try file.decoder().readAll().count == 32_000)
  }

  @Test func `a file whose every byte is cut off somewhere never fails otherwise than with a reason`() throws {
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
        // Half of the hits go to the headers in front.
        let limit = Bool.random(using: &random) ? min(200, bytes.count) : bytes.count
        changed[Int.random(in: 0..<limit, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try folder.write(changed, to: name)
      let file = try OpenFile(folder.appending(name))
      _ = try file.payloadHash()
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
