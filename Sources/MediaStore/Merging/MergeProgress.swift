internal import MediaModel

/// How far one library has come, kept from transaction to transaction.
///
/// A transaction that fails ends the merge, and what is noted here with it.
final class MergeProgress {
  var report: MergeReport.Library
  /// Ids of recordings here, by those there.
  var recordingIDs: [Int64: Int64] = [:]

  /// Likewise of pictures.
  var pictureIDs: [Int64: Int64] = [:]

  init(path: BytePath) { report = MergeReport.Library(path: path) }
}
