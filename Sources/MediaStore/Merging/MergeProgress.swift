internal import MediaModel

/// How far one library has come, kept from transaction to transaction.
///
/// A transaction that fails ends the merge, and what is noted here with it.
final class MergeProgress {
  var report: MergeReport.Library
  /// What whoever watches is told before each part.
  private(set) var step: MergeStep
  private var parts: ArraySlice<MergePart>

  /// Ids of recordings here, by those there.
  var recordingIDs: [Int64: Int64] = [:]
  /// Likewise of pictures.
  var pictureIDs: [Int64: Int64] = [:]
  /// Where the files of a root there belong, by its id.
  var places: [Int64: MergeWriter.Place] = [:]

  init(_ path: BytePath, _ rows: SourceRows) throws {
    report = MergeReport.Library(path: path)
    let parts = try MergePart.all(of: rows)
    self.parts = parts[...]
    step = MergeStep(library: path, totalCount: 0)
    for case .recordings(let ids) in parts { step.totalCount? += ids.count }
  }

  var nextPart: MergePart? { parts.first }

  func noteDone(_ part: MergePart) {
    parts.removeFirst()
    switch part {
    case .recordings(let ids): step.doneCount += ids.count
    case .files(let ids): step.doneFileCount += ids.count
    case .roots, .decisions: break
    }
  }
}
