import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// What holds for every format, however it is read.
struct ReadingPropertiesTests {
  /// A file of each format that a decoder takes.
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
      // Frame by frame only the start: the whole would take long.
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
  func `nothing comes behind the end, and the outcome stays`(_ path: String) throws {
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
}
