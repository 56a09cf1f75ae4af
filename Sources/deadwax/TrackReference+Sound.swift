internal import AudioDecoding
internal import MediaImport
internal import MediaModel
internal import MediaStore

extension TrackReference {
  /// Opens the sound in a worker, to be read through a cache: that of the first file that is there and still has it.
  ///
  /// Of files with one sound only some may say how much of it is the encoder's delay; one that says what was decoded for the
  /// library goes before others, whose frames lie elsewhere. Where only those are left, MP3s are cut as it was said.
  /// - Throws: What kept the first file from being it.
  func makeReader(cache: SegmentCache) throws -> SegmentReader {
    var failure: SoundReadingError?
    var displaced: WorkerSegmentSource?
    for file in fileDetails {
      do throws(SoundReadingError) {
        let source = try source(of: file)
        if source.audio.delayFrameCount == format.delayFrameCount { return SegmentReader(source, cache: cache) }
        displaced = displaced ?? source
      } catch {
        failure = failure ?? error
      }
    }
    if let displaced {
      let trimmed: (any SegmentSource)? = TrimmedSegmentSource(displaced, as: format)
      return SegmentReader(trimmed ?? displaced, cache: cache)
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
