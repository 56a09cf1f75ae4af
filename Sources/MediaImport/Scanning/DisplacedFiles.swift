internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

/// Known files that are no longer at their paths, by recording: a file at a new path with the same recording takes over
/// the row of one of them, and with it all that belongs to the file.
struct DisplacedFiles {
  private var files: [Int64: [KnownFile]] = [:]

  init(_ files: [KnownFile]) {
    for file in files {
      guard let recording = file.recordingID else { continue }
      self.files[recording, default: []].append(file)
    }
  }

  /// Gives out, once, a file with the recording that was extracted.
  mutating func take(for extraction: Extraction, in store: MediaStore) throws(ScanError) -> KnownFile? {
    guard !files.isEmpty, let stream = extraction.stream else { return nil }
    let recording = try storing { () throws(StoreError) in
      if let known = try store.recordings.stream(stream) { return known.recording.id as Int64? }
      guard let hash = extraction.decoded?.sampleHash else { return nil }
      return try store.recordings.recording(hash: hash)?.id
    }
    guard let recording else { return nil }
    return files[recording]?.popLast()
  }
}
