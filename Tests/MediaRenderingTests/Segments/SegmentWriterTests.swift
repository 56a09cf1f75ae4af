import AudioEncoding
import MediaModel
import MediaRendering
import Testing

struct SegmentWriterTests {
  private let library: SineLibrary

  init() throws { library = try SineLibrary() }

  private func bytes(_ request: SegmentRequest) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let start = try SegmentWriter(request, of: library.source()).write { bytes += $0 }
    bytes.replaceSubrange(0..<start.count, with: start)
    return bytes
  }

  @Test(arguments: [(0.0, 2.0), (0.5, 1.25), (1.4, 1.6)])
  func `raw samples are those of the recording`(start: Double, end: Double) throws {
    let part = TrackPart(startInSeconds: start, endInSeconds: end)
    let (first, last) = (2 * Int((start * 44_100).rounded()), 2 * Int((end * 44_100).rounded()))
    #expect(floats(try bytes(SegmentRequest(part: part, kind: .raw))) == Array(SineLibrary.samples[first..<last]))
  }

  @Test func `WAV keeps floats, FLAC gets 24 bits`() throws {
    let part = TrackPart(startInSeconds: 1, endInSeconds: 1.5)
    #expect(try bytes(SegmentRequest(part: part, kind: .wav)).count > 22_050 * 2 * 4)
    #expect(try bytes(SegmentRequest(part: part, kind: .flac)).starts(with: Array("fLaC".utf8)))
  }

  @Test func `a part that ends after the track is cut`() throws {
    let request = SegmentRequest(part: TrackPart(startInSeconds: 1.5, endInSeconds: 3), kind: .raw)
    let segment = try SegmentWriter(request, of: library.source())
    #expect(segment.isCutAtEnd && segment.frames == 66_150..<88_200)
    #expect(try !SegmentWriter(SegmentRequest(kind: .raw), of: library.source()).isCutAtEnd)
  }

  @Test func `a file that ends early is an error`() throws {
    let segment = try SegmentWriter(SegmentRequest(kind: .raw), of: library.source(frameCount: 80_000))
    #expect(throws: RenderingError.missingFrames(8_200)) { try segment.write { _ in } }
  }

  @Test func `a part after the end is refused before anything is opened`() throws {
    let source = try library.unreadableSource()
    let request = SegmentRequest(part: TrackPart(startInSeconds: 2), kind: .raw)
    #expect(throws: RenderingError.nothingInRange(SineLibrary.path, durationInSeconds: 2)) {
      try SegmentWriter(request, of: source)
    }
  }
}
