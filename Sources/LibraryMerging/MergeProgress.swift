internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryScanning
internal import MediaStore
internal import UserData

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
  ///
  /// - Parameter rowCount: The most rows of a part.
  static func all(of rows: SourceRows, rowCount: Int) throws -> [MergePart] {
    try recordings(of: rows, rowCount).map(recordings) + [.roots] + files(of: rows, rowCount).map(files) + [.decisions]
  }

  private static func recordings(of rows: SourceRows, _ rowCount: Int) throws -> [[Int64]] {
    var parts: [[Int64]] = []
    var byteCount: Int64 = .max
    try rows.forEach(
      """
      SELECT id, (SELECT coalesce(sum(byte_count), 0) FROM product WHERE audio_id = audio.id) FROM audio ORDER BY id
      """
    ) { row in
      if byteCount >= 64 << 20 || (parts.last?.count ?? 0) >= rowCount {
        parts.append([])
        byteCount = 0
      }
      try parts[parts.count - 1].append(row[0])
      byteCount = try byteCount.addingReportingOverflow(max(0, row[1])).partialValue
    }
    return parts
  }

  private static func files(of rows: SourceRows, _ rowCount: Int) throws -> [[Int64]] {
    var ids: [Int64] = []
    try rows.forEach("SELECT id FROM file ORDER BY id") { try ids.append($0[0]) }
    return MediaStore.parts(of: ids, rowCount: rowCount)
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

  /// The state of the other library that is merged.
  let mark: Data?
  /// What ``BulkCopy`` does not know of the ids above.
  var unnotedRecordingIDs: [(Int64, Int64)] = []
  var unnotedStreamIDs: [(Int64, Int64)] = []

  /// - Parameter rowCount: The most rows of a part.
  init(_ path: BytePath, _ rows: SourceRows, rowCount: Int = MediaStore.partRowCount) throws {
    report = MergeReport.Library(path: path)
    mark = try rows.first("SELECT current FROM log_mark")?[0]
    let parts = try MergePart.all(of: rows, rowCount: rowCount)
    self.parts = parts[...]
    step = MergeStep(library: path, totalCount: 0)
    for case .recordings(let ids) in parts { step.totalCount? += ids.count }
  }

  func note(recording id: Int64, as own: Int64) {
    recordingIDs[id] = own
    unnotedRecordingIDs.append((id, own))
  }

  func note(stream id: Int64, as own: Int64) {
    streamIDs[id] = own
    unnotedStreamIDs.append((id, own))
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
