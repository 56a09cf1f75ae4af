import AudioAnalysis
import AudioEncoding
import MediaModel
import MediaRendering
import Speech
import Testing

struct RadioRendererTests {
  private let library: SineLibrary

  init() throws { library = try SineLibrary() }

  /// The sine, as a track of an album or of none.
  private func track(_ number: Int? = nil) throws -> RadioTrack {
    let rendered = try RenderedTrack(library.source(), in: library.store, withArtwork: false)
    let album = number.map { RadioTrack.AlbumPlace(edition: "album", disc: 1, track: $0) }
    return try RadioTrack(rendered, album: album, in: library.store)
  }

  private var request: RenderRequest {
    var request = RenderRequest(kind: .raw)
    request.form = .float32
    return request
  }

  private func samples(_ renderer: RadioRenderer) throws -> [Float] {
    var bytes: [UInt8] = []
    _ = try renderer.write { bytes += $0 }
    return floats(bytes)
  }

  @Test func `tracks that touch are the tracks, bit for bit`() throws {
    let renderer = try RadioRenderer([track(), track(), track()], request, announcer: nil)
    #expect(renderer.plan.frameCount == Int64(3 * SineLibrary.frameCount))
    #expect(try samples(renderer) == SineLibrary.samples + SineLibrary.samples + SineLibrary.samples)
  }

  @Test func `outside of a fade nothing changes, and an album does not fade`() throws {
    let renderer = try RadioRenderer(
      [track(1), track(2), track(7)], request, announcer: nil, crossfadeInSeconds: 0.5)
    let found = try samples(renderer)
    let (count, fade) = (SineLibrary.samples.count, SineLibrary.rate / 2 * 2)
    #expect(found.count == 3 * count - fade)
    #expect(found[..<(2 * count - fade)].elementsEqual((SineLibrary.samples + SineLibrary.samples).dropLast(fade)))
    #expect(found[(2 * count)...].elementsEqual(SineLibrary.samples.dropFirst(fade)))
    #expect(found.allSatisfy { abs($0) <= 0.36 })
  }

  @Test(.enabled(if: SpeechSynthesizer.installed != nil, "espeak-ng is not installed"))
  func `announcements lie between tracks, as loud as these, and leave their samples alone`() throws {
    let announcer = try Announcer(
      template: AnnouncementTemplate("This is a short announcement of {title}"), language: "en")
    let renderer = try RadioRenderer([track(1), track(2), track(9)], request, announcer: announcer)
    let found = try samples(renderer)
    #expect(found.count == 2 * Int(renderer.plan.frameCount))
    #expect(renderer.plan.entries.map { $0.voice != nil } == [true, false, true])
    for entry in renderer.plan.entries {
      let frames = 2 * Int(entry.frames.lowerBound)..<2 * Int(entry.frames.upperBound)
      #expect(found[frames].elementsEqual(SineLibrary.samples))
      guard let voice = entry.voice else { continue }
      let spoken = Array(found[2 * Int(voice.lowerBound)..<2 * Int(voice.upperBound)])
      #expect(try abs(#require(loudness(spoken)) - #require(loudness(SineLibrary.samples))) < 1)
      #expect(spoken.allSatisfy { abs($0) <= 0.72 })
    }
    #expect(try samples(renderer) == found)
  }

  private func loudness(_ samples: [Float]) -> Double? {
    var meter = LoudnessMeter(format: AudioFormat(sampleRateInHz: SineLibrary.rate, channelCount: 2))
    meter.consume(samples.span)
    return meter.finish().integratedLoudness
  }
}
