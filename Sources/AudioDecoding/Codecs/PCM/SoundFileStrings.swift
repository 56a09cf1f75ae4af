internal import CSndFile

/// The tags of RF64, which libsndfile knows and TagLib does not.
enum SoundFileStrings {
  private static let names: [(kind: Int, name: String)] = [
    (SF_STR_TITLE, "TITLE"), (SF_STR_ARTIST, "ARTIST"), (SF_STR_ALBUM, "ALBUM"), (SF_STR_DATE, "DATE"),
    (SF_STR_TRACKNUMBER, "TRACKNUMBER"), (SF_STR_GENRE, "GENRE"), (SF_STR_COMMENT, "COMMENT"),
    (SF_STR_COPYRIGHT, "COPYRIGHT"), (SF_STR_LICENSE, "LICENSE"), (SF_STR_SOFTWARE, "ENCODING"),
  ]

  /// Adds the tags to the collector; none if libsndfile cannot read the file.
  static func read(_ file: FileBytes, into collector: TagCollector) throws(DecodingError) {
    try DecodingError.check(loading: dw_sndfile_load())
    let source = SoundFileSource(file, range: try TagBounds.start(of: BufferedBytes(file))..<file.byteCount)
    var io = SF_VIRTUAL_IO(
      get_filelen: soundFileLength, seek: soundFileSeek, read: soundFileRead, write: soundFileWrite,
      tell: soundFileTell)
    var info = SF_INFO()
    withExtendedLifetime(source) {
      guard let handle = sf_open_virtual(&io, Int32(SFM_READ), &info, Unmanaged.passUnretained(source).toOpaque())
      else { return }
      defer { sf_close(handle) }
      for (kind, name) in names {
        guard let value = sf_get_string(handle, Int32(kind)) else { continue }
        var length = 0
        while value[length] != 0 { length += 1 }
        Array(name.utf8).withUnsafeBytes {
          collector.addProperty(name: $0, value: UnsafeRawBufferPointer(start: value, count: length))
        }
      }
    }
    // The library treats a failed read as the end of the file.
    if let failure = source.failure { throw failure }
  }
}
