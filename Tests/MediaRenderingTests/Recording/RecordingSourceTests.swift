import Base
import DecodingService
import LibraryTracks
import MediaModel
import MediaRendering
import Testing

struct RecordingSourceTests {
  private let library: SineLibrary

  init() throws { library = try SineLibrary() }

  /// The track with further files, and what opening each of them gives.
  private func source(_ files: [(name: String, result: Result<MemorySource, SegmentReadingError>)]) throws
    -> RecordingSource
  {
    var track = try library.track()
    let file = try #require(track.fileDetails.first)
    track.fileDetails = files.map { name, _ in
      var copy = file
      copy.path = BytePath("/music/\(name)")
      return copy
    }
    nonisolated(unsafe) let results = Dictionary(
      uniqueKeysWithValues: files.map { (BytePath("/music/\($0.name)"), $0.result) })
    return RecordingSource(track, cache: library.cache) { file, _ throws(SegmentReadingError) in
      guard let result = results[file.path] else { throw .worker(reason: "unknown file") }
      return try result.get()
    }
  }

  @Test func `the first file that can be opened is read`() throws {
    let gone = SegmentReadingError.file(BytePath("/music/a"), reason: "gone")
    let reader = try source([("a", .failure(gone)), ("b", .success(MemorySource([0.5, -0.5])))]).makeReader()
    #expect(try reader.samples(of: 0..<10) == [0.5, -0.5])
  }

  @Test func `if no file can be opened the first error counts`() throws {
    let gone = SegmentReadingError.file(BytePath("/music/a"), reason: "gone")
    let crashed = SegmentReadingError.file(BytePath("/music/b"), reason: "crashed")
    let source = try source([("a", .failure(gone)), ("b", .failure(crashed))])
    #expect(throws: gone) { try source.makeReader() }
  }

  /// The track with files that have these lengths.
  private func source(lengths: [(name: String, frameCount: Int64?, isMissing: Bool)]) throws -> RecordingSource {
    var track = try library.track()
    let file = try #require(track.fileDetails.first)
    track.fileDetails = lengths.map { name, count, isMissing in
      var copy = file
      copy.path = BytePath("/music/\(name)")
      copy.format?.decodedFrameCount = count
      copy.missingSince = isMissing ? 1 : nil
      return copy
    }
    return RecordingSource(track, cache: library.cache) { file, _ in
      // Each file is known by its only sample.
      MemorySource([Float(file.path.bytes.last ?? 0), 0])
    }
  }

  @Test(
    arguments: [
      ([("a", 88_200, false), ("b", 88_200, false)], "a"), ([("b", nil, false), ("a", 88_200, false)], "b"),
      ([("a", 80_000, false), ("b", 88_200, false)], "b"), ([("a", 80_000, false), ("b", 70_000, false)], "a"),
    ] as [([(String, Int64?, Bool)], String)])
  func `a file that is trimmed differently is read only if there is no other`(
    files: [(name: String, frameCount: Int64?, isMissing: Bool)], expected: String
  ) throws {
    let reader = try source(lengths: files).makeReader()
    #expect(try reader.samples(of: 0..<1).first == Float(try #require(expected.utf8.first)))
  }

  @Test(
    arguments: [
      ([("a", 80_000, false), ("b", 88_200, false)], 88_200), ([("a", 80_000, false), ("b", 88_200, true)], 80_000),
      ([("a", nil, false)], 88_200), ([("a", 80_000, true)], 88_200),
    ] as [([(String, Int64?, Bool)], Int64)])
  func `the length is that of the files that are there`(
    files: [(name: String, frameCount: Int64?, isMissing: Bool)], expected: Int64
  ) throws {
    let source = try source(lengths: files)
    #expect(source.readableTrack.format.decodedFrameCount == expected)
    #expect(source.track.format.decodedFrameCount == 88_200)
  }

  @Test func `a file with another rate has changed`() throws {
    let source = try source([("a", .success(MemorySource([], sampleRateInHz: 48_000)))])
    #expect(throws: SegmentReadingError.changed(BytePath("/music/a"))) { try source.makeReader() }
  }

  @Test(
    arguments: [
      (nil, nil, 0..<88_200), (0.5, nil, 22_050..<88_200), (nil, 1, 0..<44_100), (1, 100, 44_100..<88_200),
      (0.23, 0.24, 10_143..<10_584),
    ] as [(Double?, Double?, Range<Int64>)])
  func `a part is cut at the end of the track`(start: Double?, end: Double?, frames: Range<Int64>) throws {
    #expect(try TrackPart(startInSeconds: start, endInSeconds: end).frames(of: library.track()) == frames)
  }

  @Test func `a part after the end is empty`() throws {
    let track = try library.track()
    #expect(throws: RenderingError.nothingInRange(SineLibrary.path, durationInSeconds: 2)) {
      try TrackPart(startInSeconds: 2).frames(of: track)
    }
  }

  @Test func `a track that was not decoded has no part`() throws {
    var track = try library.track()
    track.format.decodedFrameCount = nil
    #expect(throws: RenderingError.noRecording(SineLibrary.path)) { try TrackPart().frames(of: track) }
  }
}
