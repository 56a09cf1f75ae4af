/// What one transaction of a merge takes over; ids are those of the other library.
///
/// The parts come in this order, as each needs what came before it.
enum MergePart {
  /// Sounds with what was measured of them, which has some 64 MB at most.
  case recordings([Int64])
  /// The folders of all files.
  case roots
  case files([Int64])
  /// What users decided, which comes as a whole or not at all: lists, attributes, and presets.
  case decisions

  var durability: MediaStore.Durability {
    switch self {
    case .recordings, .roots, .files: .batch
    case .decisions: .durable
    }
  }

  /// Everything that a library has.
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
