internal import MediaModel

/// How far one library has come, from transaction to transaction.
struct MergeProgress {
  var report: MergeReport.Library
  /// Ids of recordings here, by those there.
  var recordingIDs: [Int64: Int64] = [:]

  /// Likewise of pictures.
  var pictureIDs: [Int64: Int64] = [:]

  init(path: BytePath) { report = MergeReport.Library(path: path) }
}
