package import Base
internal import DecodingService
package import LibraryScanning
internal import LibraryTracks
package import MediaModel
package import MediaStore

/// What a scan would store of a file whose tags were written: so the next scan finds nothing to read.
package enum RewrittenFile {
  /// - Parameters:
  ///   - extraction: of the file as it is now; nothing was decoded for it.
  ///   - status: of the file in its place.
  /// - Returns: nil if the library does not have what decoding its stream showed; the next scan then reads the file.
  package static func record(
    of file: WritableFile, _ extraction: Extraction, status: FileStatus, in store: MediaStore
  ) throws(ScanError) -> FileRecord? {
    guard let stream = extraction.stream else { return nil }
    let job = FileJob(rootID: file.root.id, path: file.known.path, status: status, known: file.known)
    guard let recording = try KnownRecordings(in: store, readsProducts: false).recording(stream, in: job) else {
      return nil
    }
    var shared = extraction.sharing(recording).withSettledParts
    shared.tags = extraction.tags.bounded
    if shared.tags != extraction.tags, !shared.notes.contains(Tags.truncatedNote) {
      shared.notes.append(Tags.truncatedNote)
    }
    return FileRecord(
      rootID: file.root.id, path: file.known.path, status: status.storable(at: .coarseNow), extraction: shared,
      extractorVersion: ExtractorVersion.stored(with: shared.problem))
  }
}
