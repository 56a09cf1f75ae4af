internal import Base
package import DecodingService
package import LibraryTracks
internal import MediaModel

/// A track and the way to its decoded samples: nothing is opened before ``makeReader()``.
package struct RecordingSource: Sendable {
  /// Opens one file of a track, whose samples must be those of the track's recording.
  package typealias Opener = @Sendable (FileDetail, TrackReference) throws(SegmentReadingError) -> any SegmentSource

  package let track: TrackReference
  private let cache: SegmentCache
  private let open: Opener

  /// - Parameters:
  ///   - cache: Everything that is decoded goes through it.
  ///   - open: By default in a worker process.
  package init(
    _ track: TrackReference, cache: SegmentCache, opening open: @escaping Opener = RecordingSource.openInWorker
  ) {
    self.track = track
    self.cache = cache
    self.open = open
  }

  /// Opens the first file of the track that is there and still holds its recording.
  ///
  /// Files with the same recording may be trimmed differently. A file that is trimmed like the one that was decoded for
  /// the library is preferred: the frames of the others are shifted, or fewer. If there are only others, MP3s are
  /// trimmed to the frames that the library has.
  /// - Throws: The error of the first file that could not be opened.
  package func makeReader() throws -> SegmentReader {
    var failure: SegmentReadingError?
    var shifted: (any SegmentSource)?
    for file in filesByTrimming {
      do throws(SegmentReadingError) {
        let source = try opened(file)
        if source.audio.delayFrameCount == track.format.delayFrameCount { return SegmentReader(source, cache: cache) }
        shifted = shifted ?? source
      } catch {
        failure = failure ?? error
      }
    }
    if let shifted {
      let trimmed: (any SegmentSource)? = TrimmedSegmentSource(shifted, as: track.format)
      return SegmentReader(trimmed ?? shifted, cache: cache)
    }
    throw failure ?? RenderingError.noRecording(nil)
  }

  /// The files of the track: first those that are not known to be trimmed differently, in the track's order.
  var filesByTrimming: [FileDetail] {
    let isOther = track.fileDetails.map { $0.format.map { !$0.isTrimmed(like: track.format) } ?? false }
    let files = zip(track.fileDetails, isOther)
    return files.filter { !$0.1 }.map(\.0) + files.filter(\.1).map(\.0)
  }

  /// The track with the frames that ``makeReader()`` gives: if every file that is there is trimmed differently than the
  /// one that was decoded for the library, those of the first.
  package var readableTrack: TrackReference {
    let present = track.fileDetails.filter { $0.missingSince == nil }
    guard let format = present.first?.format, format.decodedFrameCount != nil,
      present.allSatisfy({ $0.format.map { !$0.isTrimmed(like: track.format) } ?? false }),
      !format.canBeTrimmed(like: track.format)
    else { return track }
    var copy = track
    copy.format.declaredFrameCount = format.declaredFrameCount
    copy.format.decodedFrameCount = format.decodedFrameCount
    copy.format.delayFrameCount = format.delayFrameCount
    copy.format.paddingFrameCount = format.paddingFrameCount
    return copy
  }

  /// The sample rate and the number of decoded frames.
  ///
  /// - Throws: ``RenderingError/noRecording(_:)`` if they are not known.
  func extent() throws(RenderingError) -> (sampleRateInHz: Int, frameCount: Int64) {
    guard let rate = track.format.sampleRateInHz, let frameCount = track.format.decodedFrameCount else {
      throw .noRecording(track.files.first)
    }
    return (rate, frameCount)
  }

  private func opened(_ file: FileDetail) throws(SegmentReadingError) -> any SegmentSource {
    let source = try open(file, track)
    let found = source.audio.format
    guard found.sampleRateInHz == track.format.sampleRateInHz, found.channelCount == track.format.channelCount else {
      throw .changed(file.path)
    }
    return source
  }

  /// Decodes in a worker process, which lives as long as the source.
  package static func openInWorker(
    _ file: FileDetail, of track: TrackReference
  ) throws(SegmentReadingError) -> any SegmentSource {
    try open(file, of: track, in: nil)
  }

  /// The same for somebody who listens, and may jump.
  package static func openForListening(
    _ file: FileDetail, of track: TrackReference
  ) throws(SegmentReadingError) -> any SegmentSource {
    let source = try openInWorker(file, of: track)
    source.lookAhead()
    return source
  }

  /// The same in a worker that waits for a file; nil starts one.
  package static func open(
    _ file: FileDetail, of track: TrackReference, in waiting: PrewarmedWorker?
  ) throws(SegmentReadingError) -> any SegmentSource {
    try WorkerSegmentSource(
      file.path, recording: track.hash, stream: file.streamHash, declaration: file.declaration, known: file.status,
      isDamaged: track.isDamaged, in: waiting)
  }
}

extension MediaFormat {
  /// Whether a file gives the same frames as another format with the same recording, as far as both lengths are known.
  fileprivate func isTrimmed(like other: MediaFormat) -> Bool {
    guard let count = decodedFrameCount, let otherCount = other.decodedFrameCount else { return true }
    return count == otherCount && delayFrameCount == other.delayFrameCount
  }

  /// Whether ``TrimmedSegmentSource`` makes the frames of another format of a file with this one.
  fileprivate func canBeTrimmed(like other: MediaFormat) -> Bool {
    codec == .mp3 && delayFrameCount == nil && paddingFrameCount == nil && other.delayFrameCount != nil
  }
}
