internal import AudioDecoding
internal import MediaImport
internal import MediaModel
internal import MediaStore

extension TrackReference {
  /// Opens the sound in a worker, to be read through a cache: that of the first file that is there and still has it.
  ///
  /// - Throws: What kept the first file from being it.
  func makeReader(cache: SegmentCache) throws -> SegmentReader {
    var failure: SoundReadingError?
    for file in fileDetails {
      do throws(SoundReadingError) {
        return SegmentReader(try source(of: file), cache: cache)
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? TrackFailure.noSound(nil)
  }

  private func source(of file: FileDetail) throws(SoundReadingError) -> WorkerSegmentSource {
    let known = WorkerSegmentSource.KnownFile(
      byteCount: file.byteCount, modificationTimeInNanoseconds: file.modificationTimeInNanoseconds)
    let source = try WorkerSegmentSource(file.path, hash: hash, known: known, isDamaged: isDamaged)
    let found = source.audio.format
    guard found.sampleRateInHz == format.sampleRateInHz, found.channelCount == format.channelCount else {
      throw .file(file.path, reason: WorkerSegmentSource.changed)
    }
    return source
  }
}
