import AudioDecoding
import Foundation
import Glibc
import MediaModel
import Testing
import TestSupport

/// Files that are cut after they were opened: every read may give less than the length promised.
@Suite(.enabled(if: EncodedSignal.areToolsThere, "ffmpeg, flac or SoX is not installed"))
struct CutFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: EncodedSignal.all.filter { !$0.isVariant })
  func `a file that is cut while it is open ends early, and nothing worse`(_ signal: EncodedSignal) throws {
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
        _ = try open.payloadHash()
        let decoder = try open.decoder()
        let frameCount = try decoder.readAll().count / decoder.format.channelCount
        #expect(frameCount <= whole.frameCount)
        if length <= byteCount / 2 { #expect(frameCount < whole.frameCount * 3 / 4) }
        try decoder.seek(toFrame: Int64(whole.frameCount / 4))
        _ = try decoder.readFrames(2000)
      } catch let error as DecodingError { #expect(!error.problem.reason.isEmpty) }
    }
  }

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
