/// What one transaction of a merge takes over; ids are those of the other library.
///
/// The parts come in this order, as each needs what came before it.
enum MergePart {
  /// Sounds with what was measured of them, of some 64 MB.
  case recordings([Int64])
  /// The folders of all files.
  case roots
  case files([Int64])
  case lists
  /// Of these recordings.
  case attributes([Int64])
  case presets

  /// What users decided must not be gone after it was said to be there.
  var durability: MediaStore.Durability {
    switch self {
    case .recordings, .roots, .files: .batch
    case .lists, .attributes, .presets: .durable
    }
  }

  /// Everything that a library has.
  static func all(of rows: SourceRows) throws -> [MergePart] {
    let files = try ids("SELECT id FROM file ORDER BY id", rows)
    let decided = try ids("SELECT DISTINCT audio_id FROM attribute ORDER BY audio_id", rows)
    return try recordings(of: rows).map(recordings) + [.roots] + files.map(MergePart.files) + [.lists]
      + decided.map(attributes) + [.presets]
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

  private static func ids(_ sql: String, _ rows: SourceRows) throws -> [[Int64]] {
    var parts: [[Int64]] = []
    try rows.forEach(sql) { row in
      if (parts.last?.count ?? .max) >= MediaStore.partRowCount { parts.append([]) }
      try parts[parts.count - 1].append(row[0])
    }
    return parts
  }
}
