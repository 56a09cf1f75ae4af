internal import AudioDecoding
internal import MediaImport
internal import MediaModel
internal import MediaStore

extension TrackReference {
  /// Opens the sound of the first file in a worker, to be read through a cache.
  func makeReader(cache: SegmentCache) throws -> SegmentReader {
    guard let path = files.first else { throw TrackWithoutSound(path: nil) }
    let source = try WorkerSegmentSource(path, hash: hash, isDamaged: isDamaged)
    let found = source.audio.format
    guard found.sampleRateInHz == format.sampleRateInHz, found.channelCount == format.channelCount else {
      throw SoundReadingError.file(path, reason: "has changed since it was scanned")
    }
    return SegmentReader(source, cache: cache)
  }
}
