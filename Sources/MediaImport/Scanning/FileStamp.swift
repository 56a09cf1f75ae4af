internal import MediaModel

/// What a rename, and a copy that keeps times, leave as it is.
struct FileStamp: Hashable {
  let byteCount: Int64
  let modificationTimeInNanoseconds: Int64

  init(_ status: FileStatus) {
    byteCount = status.byteCount
    modificationTimeInNanoseconds = status.modificationTimeInNanoseconds
  }
}
