import AudioDecoding
import Foundation
import Glibc
import MediaModel
import Testing
import TestSupport

/// What holds for every format, however it is read.
struct ReadingPropertiesTests {
  /// A file of each format that has a decoder.
  private static let files: [String] = [
    "audio/The Locked Grooves/Thirty-Three and a Third/01 Kick.wav",
    "audio/The Locked Grooves/Thirty-Three and a Third/02 String.wav",
    "audio/The Locked Grooves/Thirty-Three and a Third/03 Float.wav",
    "audio/The Locked Grooves/Thirty-Three and a Third/04 Long Side.rf64",
    "audio/The Locked Grooves/Thirty-Three and a Third/05 Wave Sixty-Four.w64",
    "audio/The Locked Grooves/Thirty-Three and a Third/06 Big End.aiff",
    "audio/The Locked Grooves/Thirty-Three and a Third/07 Core.caf",
    "audio/The Locked Grooves/Thirty-Three and a Third/08 Sun.au",
    "audio/Émilie Søndergård/Les Échos/02 Balayage.flac",
    "audio/Émilie Søndergård/Les Échos/04 Six haut-parleurs.flac",
    "audio/Émilie Søndergård/Les Échos/05 Marée haute.oga",
    "audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3",
    "audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3",
    "audio/Lathe & Lantern/Run-out Groove/03 Rain on the Window.mp3",
    "audio/Lathe & Lantern/Run-out Groove/04 Broadcast Copy.mp2",
    "audio/Public Address/Announcements/01 Test Pressing.mp3",
    "audio/星屑電機/夜の配線/02 配線図.ogg",
    "damaged/cbr-without-xing.mp3",
    "damaged/vbr-without-xing.mp3",
    "damaged/chained.ogg",
    "audio/Public Address/Announcements/02 Auslaufrille.opus",
    "audio/صدى البحر/موجات/01 المد.opus",
  ]

  @Test(arguments: files)
  func `the sizes of the blocks make no difference to the samples`(_ path: String) throws {
    let url = Corpora.fixtures.appending(path: path)
    let whole = try DecodedFile(url, blockFrameCount: 1 << 16)
    for size in [1, 333, 4096] {
      // Frame by frame only at the start, to save time.
      let file = try OpenFile(url)
      let decoder = try file.decoder()
      var samples: [Float] = []
      let limit = size == 1 ? min(whole.samples.count, 20_000) : whole.samples.count
      while samples.count < limit, case let block = try decoder.readFrames(size), !block.isEmpty { samples += block }
      #expect(samples.count >= limit)
      #expect(samples.elementsEqual(whole.samples.prefix(samples.count)))
    }
  }

  @Test(arguments: files)
  func `nothing comes after the end, and the outcome stays`(_ path: String) throws {
    let file = try OpenFile(Corpora.fixtures.appending(path: path))
    let decoder = try file.decoder()
    let frameCount = try decoder.readAll().count / decoder.format.channelCount
    let outcome = decoder.outcome
    #expect(try decoder.readFrames(100).isEmpty)
    #expect(decoder.outcome == outcome)
    #expect(decoder.mediaFormat.decodedFrameCount == Int64(frameCount))
    try decoder.seek(toFrame: Int64(frameCount))
    #expect(try decoder.readFrames(100).isEmpty)
    try decoder.seek(toFrame: .max)
    #expect(try decoder.readFrames(100).isEmpty)
  }

  // Faults: 175
  @Test(arguments: files)
  func `what is appended after a file was opened is not read`(_ path: String) throws {
    let url = Corpora.fixtures.appending(path: path)
    let folder = try TemporaryFolder()
    let copy = folder.appending(url.lastPathComponent)
    try FileManager.default.copyItem(at: url, to: copy)
    let (original, grown) = (try OpenFile(url), try OpenFile(copy))
    let handle = try FileHandle(forWritingTo: copy)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(contentsOf: url))
    try handle.close()
    #expect(try grown.identity() == original.identity())
    #expect(try grown.tags() == original.tags())
    let isEqual = try grown.decoder().readAll() == original.decoder().readAll()
    #expect(isEqual)
  }
}

/// Opening a large file on a slow disk takes long: progress must be reported.
struct SignsOfLifeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Walk: CustomTestStringConvertible {
    let testDescription: String
    /// Some 3 MiB, which are read in pieces of 256 KiB at most.
    let bytes: @Sendable () throws -> [UInt8]
  }

  private static let walks = [
    Walk(testDescription: "frames of MPEG") { MPEGBytes.silentFrames(30_000) },
    Walk(testDescription: "frames of MPEG in WAV") {
      let format = ChunkBytes.format().replacing([1, 0], with: [0x55, 0], maxReplacements: 1)
      return ChunkBytes.riff(
        ChunkBytes.chunk("fmt ", format), ChunkBytes.chunk("data", MPEGBytes.silentFrames(30_000)))
    },
    Walk(testDescription: "pages of Ogg") {
      let chain = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/chained.ogg")))
      return (0...(3 << 20) / chain.count).flatMap { _ in chain }
    },
    Walk(testDescription: "FLAC without a frame") {
      FLACBytes.constant(frameCount: 1, sampleRateInHz: 8000).prefix(42) + [UInt8](repeating: 1, count: 3 << 20)
    },
  ]

  @Test(arguments: walks)
  func `a file that is walked when it is opened gives signs of life, and none when it is read`(
    _ walk: Walk
  ) throws {
    try folder.write(walk.bytes(), to: "a")
    let file = try OpenFile(folder.appending("a"))
    let media = try file.mediaFile()
    var signCount = 0
    let decoder = try media.makeDecoder { signCount += 1 }
    #expect(signCount >= 10)
    let openingCount = signCount
    _ = try decoder.readFrames(10_000)
    #expect(signCount == openingCount)
  }
}

/// Files that are cut after they were opened: every read may give less than the length promised.
@Suite(.enabled(if: EncodedSignal.areToolsThere, "ffmpeg, flac or SoX is not installed"))
struct CutFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // Faults: 35
  @Test(arguments: EncodedSignal.all.filter { !$0.isVariant })
  func `a file that is cut while it is open only ends early`(_ signal: EncodedSignal) throws {
    let original = try signal.make(in: folder)
    let whole = try DecodedFile(original)
    let byteCount = try OpenFile(original).byteCount
    let file = folder.appending("cut.\(original.pathExtension)")
    for length in [0, 1, 30, 50, 1000, byteCount / 3, byteCount / 2, byteCount - 1] {
      try? FileManager.default.removeItem(at: file)
      try FileManager.default.copyItem(at: original, to: file)
      let open = try OpenFile(file)
      try #require(truncate(file.path, Int(length)) == 0)
      do {
        _ = try open.tags()
        _ = try open.streamHash()
        let decoder = try open.decoder()
        let frameCount = try decoder.readAll().count / decoder.format.channelCount
        #expect(frameCount <= whole.frameCount)
        // A table that was read before leaves silence where the packets are missing, and says so.
        if length <= byteCount / 2 {
          #expect(frameCount < whole.frameCount * 3 / 4 || decoder.outcome.state == .damaged)
        }
        try decoder.seek(toFrame: Int64(whole.frameCount / 4))
        _ = try decoder.readFrames(2000)
      } catch let error as DecodingError { #expect(!error.problem.reason.isEmpty) }
    }
  }

  // Faults: 35
  @Test(arguments: ["MP3, constant bit rate", "FLAC, 16 bit", "Vorbis, stereo", "WAV, 16 bit"])
  func `a file that is cut while it is decoded gives the frames that it had, then ends`(_ name: String) throws {
    let signal = try #require(EncodedSignal.all.first { $0.testDescription == name })
    let file = try signal.make(in: folder)
    let whole = try DecodedFile(file)
    let open = try OpenFile(file)
    let decoder = try open.decoder()
    let begun = try decoder.readFrames(2000)
    try #require(truncate(file.path, Int(open.byteCount / 2)) == 0)
    let samples = begun + (try decoder.readAll())
    #expect(samples.count <= whole.samples.count)
    let certain = whole.samples.count / 4
    #expect(samples.count > certain)
    #expect(samples.prefix(certain) == whole.samples.prefix(certain))
  }
}

/// Files whose bytes can no longer be read, as on a failing disk or a server that is gone.
struct FailingReadsTests {
  /// One file of each way to read tags: TagLib, libsndfile, and Ogg with several streams.
  private static let files = [
    "Lathe & Lantern/Run-out Groove/01 Lead-in.mp3", "Émilie Søndergård/Les Échos/01 Marée lente.flac",
    "Émilie Søndergård/Les Échos/05 Marée haute.oga", "星屑電機/夜の配線/01 真空管.ogg",
    "Public Address/Announcements/02 Auslaufrille.opus", "Public Address/Announcements/03 Sillon de sortie.m4a",
    "The Locked Grooves/Thirty-Three and a Third/01 Kick.wav",
    "The Locked Grooves/Thirty-Three and a Third/04 Long Side.rf64",
    "The Locked Grooves/Thirty-Three and a Third/06 Big End.aiff",
    "The Locked Grooves/Thirty-Three and a Third/07 Core.caf",
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // Faults: 58
  @Test(arguments: files)
  func `tags that cannot be read are an error, not an empty result`(_ path: String) throws {
    let file = try OpenFile(Corpora.fixtures.appending(path: "audio").appending(path: path))
    let media = try file.mediaFile()
    try file.replace(with: folder.url)
    do throws(DecodingError) {
      let reading = try media.readTags()
      Issue.record("\(reading.tags.properties.count) tags")
    } catch {
      guard case .unreadable(EISDIR, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.state == .unreadable)
    }
  }

  @Test(arguments: files)
  func `a file that became shorter has the tags that are left`(_ path: String) throws {
    let original = Corpora.fixtures.appending(path: "audio").appending(path: path)
    try folder.write(try Data(contentsOf: original), to: original.lastPathComponent)
    let copy = folder.appending(original.lastPathComponent)
    let file = try OpenFile(copy)
    let media = try file.mediaFile()
    try #require(truncate(copy.path, 64) == 0)
    _ = try media.readTags()
  }
}

extension OpenFile {
  /// Replaces what the descriptor refers to. A folder can be opened, but not read.
  fileprivate func replace(with url: URL) throws {
    let other = open(url.path, O_RDONLY | O_CLOEXEC)
    defer { close(other) }
    try #require(dup2(other, descriptor) == descriptor)
  }
}
