internal import Base

/// The part of a merge that one transaction does; ids are those of the other library.
///
/// The parts are done in this order, because each needs the parts before it.
enum MergePart {
  /// Recordings with their products, at most about 64 MB.
  case recordings([Int64])
  /// The folders of all files.
  case roots
  case files([Int64])
  /// The rows that users made, all or none: lists, attributes and presets.
  case decisions

  var durability: MediaStore.Durability {
    switch self {
    case .recordings, .roots, .files: .batch
    case .decisions: .durable
    }
  }

  /// All parts of a library.
  static func all(of rows: SourceRows) throws -> [MergePart] {
    try recordings(of: rows).map(recordings) + [.roots] + files(of: rows).map(files) + [.decisions]
  }

  private static func recordings(of rows: SourceRows) throws -> [[Int64]] {
    var parts: [[Int64]] = []
    var byteCount: Int64 = .max
    try rows.forEach(
      """
      SELECT id, (SELECT coalesce(sum(byte_count), 0) FROM product WHERE audio_id = audio.id) FROM audio ORDER BY id
      """
    ) { row in
      if byteCount >= 64 << 20 || (parts.last?.count ?? 0) >= MediaStore.partRowCount {
        parts.append([])
        byteCount = 0
      }
      try parts[parts.count - 1].append(row[0])
      byteCount = try byteCount.addingReportingOverflow(max(0, row[1])).partialValue
    }
    return parts
  }

  private static func files(of rows: SourceRows) throws -> [[Int64]] {
    var ids: [Int64] = []
    try rows.forEach("SELECT id FROM file ORDER BY id") { try ids.append($0[0]) }
    return MediaStore.parts(of: ids)
  }
}

/// The progress of one library, kept from transaction to transaction.
///
/// A transaction that fails ends the merge, so this need not be rolled back.
final class MergeProgress {
  var report: MergeReport.Library
  /// The step that is reported before each part.
  private(set) var step: MergeStep
  private var parts: ArraySlice<MergePart>

  /// Ids of recordings in this library, by their ids in the other one.
  var recordingIDs: [Int64: Int64] = [:]
  /// The same for streams.
  var streamIDs: [Int64: Int64] = [:]
  /// The same for pictures.
  var pictureIDs: [Int64: Int64] = [:]
  /// The same for persons.
  var personIDs: [Int64: Int64] = [:]
  /// Where the files of a root of the other library belong, by the id of that root.
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
