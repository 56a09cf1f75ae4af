internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

/// Copies rows of another library that this one does not know in any way, many of them with one statement.
///
/// The other library is attached to the connection as `other`, and what its ids became is kept in temporary tables. Rows
/// that need a decision are left to ``MergeWriter``: it gives them the same ids and values as if it had copied the
/// others, too.
struct BulkCopy {
  private let db: Database

  /// Attaches another library to a connection, outside of any transaction.
  ///
  /// - Parameter path: As SQLite opens it.
  static func attach(_ path: String, to db: Database) throws {
    try db.execute(sql: "ATTACH ? AS other", arguments: [path])
    try db.execute(
      sql: """
        CREATE TEMP TABLE merge_recording (other INTEGER PRIMARY KEY, own INTEGER NOT NULL, is_new INTEGER NOT NULL);
        CREATE TEMP TABLE merge_stream (other INTEGER PRIMARY KEY, own INTEGER NOT NULL);
        CREATE TEMP TABLE merge_product (own INTEGER PRIMARY KEY, other INTEGER NOT NULL, audio_id INTEGER NOT NULL);
        CREATE TEMP TABLE merge_file (own INTEGER PRIMARY KEY, other INTEGER NOT NULL);
        CREATE TEMP TABLE merge_tag_name (other INTEGER PRIMARY KEY, own INTEGER NOT NULL);
        """)
  }

  /// Undoes ``attach(_:to:)``, whatever of it was done.
  static func detach(from db: Database) {
    for table in ["recording", "stream", "product", "file", "tag_name"] {
      try? db.execute(sql: "DROP TABLE IF EXISTS temp.merge_\(table)")
    }
    // Cached statements would keep it.
    try? db.execute(sql: "DETACH other")
  }

  /// nil if no library is attached, or somebody has written to it since `mark`: then the rows that are read one by one
  /// are not those that are attached.
  init?(_ db: Database, mark: Data?) throws {
    guard let mark, try Bool.fetchOne(db, sql: "SELECT 1 FROM pragma_database_list WHERE name = 'other'") == true,
      try Data.fetchOne(db, sql: "SELECT current FROM other.log_mark") == mark
    else { return nil }
    self.db = db
  }

  /// - Returns: How many rows it changed.
  private func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
    return db.changesCount
  }

  /// The number before that of the next row of a table.
  private func lastID(of table: String, numbered: Bool = false) throws -> Int64 {
    let last = try Int64.fetchOne(db, sql: "SELECT coalesce(max(id), 0) FROM main.\(table)") ?? 0
    guard numbered else { return last }
    return max(
      last, try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table]) ?? 0)
  }
}

// MARK: - Recordings

extension BulkCopy {
  /// What was copied.
  struct Recordings {
    /// Ids here by ids there.
    var ids: [Int64: Int64] = [:]
    var streamIDs: [Int64: Int64] = [:]
    /// Including measures.
    var productCount = 0
    var damaged: [MergeReport.DamagedProduct] = []
  }

  /// Copies those recordings of a range of ids that this library knows neither by their hash, nor by a former one, nor
  /// by a stream, with their streams, products and measures.
  func recordings(_ range: ClosedRange<Int64>, of writer: MergeWriter) throws -> Recordings {
    let bounds: StatementArguments = ["first": range.lowerBound, "last": range.upperBound]
    let count = try run(
      """
      INSERT INTO temp.merge_recording (other, own, is_new)
      SELECT id, :base + row_number() OVER (ORDER BY id), 1 FROM other.audio AS a
       WHERE id BETWEEN :first AND :last
         AND NOT EXISTS (SELECT 1 FROM main.audio WHERE hash = a.hash)
         AND NOT EXISTS (SELECT 1 FROM main.former_hash WHERE hash = a.hash)
         AND NOT EXISTS (SELECT 1 FROM other.former_hash WHERE current = a.hash)
         AND NOT EXISTS (SELECT 1 FROM other.stream AS s JOIN main.stream AS own ON own.hash = s.hash
                          WHERE s.audio_id = a.id)
      """, bounds + ["base": try lastID(of: "audio", numbered: true)])
    guard count > 0 else { return Recordings() }
    let columns = writer.recordingColumns.list
    _ = try run(
      """
      INSERT INTO main.audio (id, hash, basis, \(columns))
      SELECT own, hash, basis, \(columns) FROM \(Self.newRecordings) JOIN other.audio ON audio.id = m.other
       ORDER BY m.other
      """, bounds)
    var copied = Recordings()
    copied.ids = try pairs("SELECT other, own FROM \(Self.newRecordings)", bounds)
    copied.streamIDs = try streams(bounds, writer.streamColumns)
    (copied.productCount, copied.damaged) = try products(bounds, writer.options)
    if !writer.options.omits(ProductKind.measures.rawValue) {
      let columns = writer.measureColumns.list
      copied.productCount += try run(
        """
        INSERT INTO main.measures (audio_id, \(columns))
        SELECT m.own, \(columns) FROM \(Self.newRecordings) JOIN other.measures ON measures.audio_id = m.other
         ORDER BY m.other
        """, bounds)
    }
    return copied
  }

  /// The new ones of a range, in the order of their ids.
  private static let newRecordings = """
    (SELECT other, own FROM temp.merge_recording WHERE other BETWEEN :first AND :last AND is_new) AS m
    """

  private func streams(_ bounds: StatementArguments, _ columns: TableColumns) throws -> [Int64: Int64] {
    _ = try run(
      """
      INSERT INTO temp.merge_stream (other, own)
      SELECT s.id, :base + row_number() OVER (ORDER BY m.other, s.id)
        FROM \(Self.newRecordings) CROSS JOIN other.stream AS s ON s.audio_id = m.other
      """, bounds + ["base": try lastID(of: "stream")])
    _ = try run(
      """
      INSERT INTO main.stream (id, audio_id, \(columns.list))
      SELECT n.own, m.own, \(columns.list)
        FROM \(Self.newRecordings) CROSS JOIN other.stream AS s ON s.audio_id = m.other
        JOIN temp.merge_stream AS n ON n.other = s.id
       ORDER BY n.own
      """, bounds)
    return try pairs(
      """
      SELECT n.other, n.own FROM \(Self.newRecordings) CROSS JOIN other.stream AS s ON s.audio_id = m.other
        JOIN temp.merge_stream AS n ON n.other = s.id
      """, bounds)
  }

  /// Copies products whose bytes are those that were written.
  private func products(
    _ bounds: StatementArguments, _ options: MergeOptions
  ) throws -> (count: Int, damaged: [MergeReport.DamagedProduct]) {
    let omitted = options.omittedKinds.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    let wanted = """
      \(Self.newRecordings) CROSS JOIN other.product AS p ON p.audio_id = m.other AND p.kind NOT IN (\(omitted))
      """
    _ = try run("DELETE FROM temp.merge_product")
    let count = try run(
      """
      INSERT INTO temp.merge_product (own, other, audio_id)
      SELECT :base + row_number() OVER (ORDER BY m.other, p.kind), p.id, m.own
        FROM \(wanted) JOIN other.product_blob AS b ON b.product_id = p.id
       WHERE length(b.bytes) = p.byte_count AND crc32(b.bytes) = b.checksum
      """, bounds + ["base": try lastID(of: "product")])
    _ = try run(
      """
      INSERT INTO main.product (id, audio_id, kind, version, parameters, byte_count, made_at)
      SELECT n.own, n.audio_id, kind, version, parameters, byte_count, made_at
        FROM temp.merge_product AS n CROSS JOIN other.product AS p ON p.id = n.other ORDER BY n.own
      """)
    _ = try run(
      """
      INSERT INTO main.product_blob (product_id, checksum, bytes)
      SELECT n.own, checksum, bytes
        FROM temp.merge_product AS n CROSS JOIN other.product_blob AS b ON b.product_id = n.other ORDER BY n.own
      """)
    try decideTempoAndKey()
    guard try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM \(wanted)"), arguments: bounds) != count else {
      return (count, [])
    }
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT a.hash, p.kind FROM \(wanted) JOIN other.audio AS a ON a.id = m.other
         WHERE p.id NOT IN (SELECT other FROM temp.merge_product) ORDER BY m.other, p.kind
        """, arguments: bounds)
    let damaged = try rows.compactMap { row in
      try ContentHash(bytes: row[0] as Data).map { try MergeReport.DamagedProduct(recording: $0, kind: row[1]) }
    }
    return (count, damaged)
  }

  /// What follows from the products that were just copied.
  private func decideTempoAndKey() throws {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT n.audio_id, p.kind, p.version, p.parameters, b.bytes
            FROM temp.merge_product AS n CROSS JOIN other.product AS p ON p.id = n.other
            JOIN other.product_blob AS b ON b.product_id = p.id
           WHERE p.kind IN ('rhythm', 'chroma') ORDER BY n.own
          """))
    while let row = try rows.next() {
      guard let kind = ProductKind(rawValue: try row[1] as String) else { continue }
      let bytes: Data = try row[4]
      let product = try Product(kind: kind, version: row[2], parameters: row[3], bytes: [UInt8](bytes))
      try TempoAndKeySQL.update(from: product, recordingID: row[0], db)
    }
  }

  private func pairs(_ sql: String, _ arguments: StatementArguments) throws -> [Int64: Int64] {
    var pairs: [Int64: Int64] = [:]
    let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
    while let row = try rows.next() { try pairs[row[0]] = row[1] }
    return pairs
  }
}

// MARK: - Files

extension BulkCopy {
  /// Copies those files of a range of ids whose paths and keys are new here, with their tags.
  ///
  /// - Returns: Ids here by ids there.
  func files(_ range: ClosedRange<Int64>, of writer: MergeWriter) throws -> [Int64: Int64] {
    let bounds: StatementArguments = ["first": range.lowerBound, "last": range.upperBound]
    _ = try run("DELETE FROM temp.merge_file")
    guard let places = Self.places(writer.progress.places) else { return [:] }
    let count = try run(
      """
      WITH place (other, own) AS (\(places))
      INSERT INTO temp.merge_file (own, other)
      SELECT :base + row_number() OVER (ORDER BY f.id), f.id
        FROM other.file AS f JOIN place AS p ON p.other = f.root_id
       WHERE f.id BETWEEN :first AND :last
         AND NOT EXISTS (SELECT 1 FROM main.file WHERE root_id = p.own AND path = f.path)
         AND NOT EXISTS (SELECT 1 FROM main.file WHERE key = f.key)
      """, bounds + ["base": try lastID(of: "file")])
    guard count > 0 else { return [:] }
    try noteOthers(of: writer.progress)
    // A device number of another machine would mean any disk here, or none.
    let device = Int64(bitPattern: FileStatus.unknownDevice)
    let values = writer.fileColumns.names.map { $0 == "device" ? "\(device)" : "f.\($0)" }.joined(separator: ", ")
    _ = try run(
      """
      WITH place (other, own) AS (\(places))
      INSERT INTO main.file (id, root_id, path, audio_id, stream_id, \(writer.fileColumns.list))
      SELECT n.own, p.own, f.path, r.own, s.own, \(values)
        FROM temp.merge_file AS n CROSS JOIN other.file AS f ON f.id = n.other
        JOIN place AS p ON p.other = f.root_id
        LEFT JOIN temp.merge_recording AS r ON r.other = f.audio_id
        LEFT JOIN temp.merge_stream AS s ON s.other = f.stream_id
       ORDER BY n.own
      """)
    try copyTags()
    return try pairs("SELECT other, own FROM temp.merge_file", [])
  }

  /// The roots whose files keep their paths, as rows; one to which two roots lead is left out. nil if there is none.
  ///
  /// Not a table: to fill one would count as a change, even if no file is new.
  private static func places(_ places: [Int64: MergeWriter.Place]) -> String? {
    let own = Dictionary(grouping: places.values, by: \.rootID)
    let simple = places.filter { $0.value.prefix.bytes.isEmpty && own[$0.value.rootID]?.count == 1 }
    guard !simple.isEmpty else { return nil }
    return "VALUES " + simple.map { "(\($0.key), \($0.value.rootID))" }.sorted().joined(separator: ", ")
  }

  /// What became of recordings and streams that were not copied in bulk, when the first file needs it.
  private func noteOthers(of progress: MergeProgress) throws {
    for (other, own) in progress.unnotedRecordingIDs {
      _ = try run("INSERT OR IGNORE INTO temp.merge_recording VALUES (?, ?, 0)", [other, own])
    }
    for (other, own) in progress.unnotedStreamIDs {
      _ = try run("INSERT OR IGNORE INTO temp.merge_stream VALUES (?, ?)", [other, own])
    }
    progress.unnotedRecordingIDs = []
    progress.unnotedStreamIDs = []
  }

  private func copyTags() throws {
    let strange = """
      (SELECT DISTINCT t.name_id FROM temp.merge_file AS n CROSS JOIN other.tag AS t ON t.file_id = n.other
        WHERE t.name_id NOT IN (SELECT other FROM temp.merge_tag_name)) AS strange
      """
    let names = try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT id, name FROM \(strange) JOIN other.tag_name ON tag_name.id = strange.name_id ORDER BY id"))
    for name in names {
      let text: String = try name[1]
      _ = try run(
        "INSERT INTO main.tag_name (name) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM main.tag_name WHERE name = ?1)",
        [text])
      _ = try run(
        "INSERT INTO temp.merge_tag_name SELECT ?, id FROM main.tag_name WHERE name = ?", [name[0] as Int64, text])
    }
    _ = try run(
      """
      INSERT INTO main.tag (file_id, name_id, position, value)
      SELECT n.own, t.own, tag.position, tag.value
        FROM temp.merge_file AS n CROSS JOIN other.tag ON tag.file_id = n.other
        JOIN temp.merge_tag_name AS t ON t.other = tag.name_id
       ORDER BY n.own
      """)
    _ = try run(
      """
      INSERT INTO main.own_tag (file_id, field, tags, state)
      SELECT n.own, o.field, o.tags, o.state
        FROM temp.merge_file AS n CROSS JOIN other.own_tag AS o ON o.file_id = n.other
       ORDER BY n.own
      """)
  }

  /// Ids there of files that were copied and have rows in another table, `file_artwork` or `part`.
  func copiedFiles(with table: String) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql:
        "SELECT other FROM temp.merge_file AS n WHERE EXISTS (SELECT 1 FROM other.\(table) WHERE file_id = n.other) ORDER BY other"
    )
  }
}
