package import Base
internal import Foundation
internal import GRDB
package import MediaModel

/// What the library has of a recording, so that nothing is computed twice.
package struct RecordingSummary: Hashable, Sendable {
  package var id: Int64
  package var hash: ContentHash
  /// The state of the decoding.
  package var state: FileState
  package var problem: Problem?
  package var format: MediaFormat?
  /// Whether ``hash`` is that of the samples, which several streams may have; otherwise it is that of the only stream.
  package var isKnownBySamples: Bool
  /// In ascending order of kind, including ``ProductKind/measures``, whose byte count is 0.
  package var products: [StoredProduct]
}

/// A product in the library, without its bytes.
package struct StoredProduct: Hashable, Sendable {
  package var kind: ProductKind
  package var version: Int
  package var parameters: String
  package var byteCount: Int64
  /// The shard that has it; nil for the library itself.
  package var shard: BytePath?

  package init(kind: ProductKind, version: Int, parameters: String, byteCount: Int64) {
    self.kind = kind
    self.version = version
    self.parameters = parameters
    self.byteCount = byteCount
  }
}

extension MediaStore {
  /// A recording by its hash, or by one that it had before; nil if it is unknown.
  package func recording(hash: ContentHash) throws(StoreError) -> RecordingSummary? {
    try read { db in
      let hashes = try [hash] + FormerHashes.current(of: hash, db)
      for hash in hashes {
        let row = try Row.fetchOne(
          db.cachedStatement(sql: "SELECT * FROM audio WHERE hash = ?"), arguments: [Data(hash.bytes)])
        if let row { return try Self.summary(of: row, format: .ofFirstFile, in: db) }
      }
      return nil
    }
  }

  /// - Parameter fileID: the file whose container and codec are wanted; nil for the first one that is there.
  package func recording(id: Int64, preferringFile fileID: Int64? = nil) throws(StoreError) -> RecordingSummary? {
    try read { db in
      guard let row = try Row.fetchOne(db, sql: "SELECT * FROM audio WHERE id = ?", arguments: [id]) else { return nil }
      return try Self.summary(of: row, format: fileID.map { .ofFile($0) } ?? .ofFirstFile, in: db)
    }
  }

  /// Where container and codec of a recording come from, which its files may differ in.
  enum FormatSource {
    /// The first file that is there, or the first stream if there is no file.
    case ofFirstFile
    case ofFile(Int64)
  }

  /// - Parameters:
  ///   - row: all columns of `audio`.
  ///   - format: nil if only what the recording itself has is wanted.
  static func summary(of row: Row, format source: FormatSource?, in db: Database) throws -> RecordingSummary? {
    guard let hash = try ContentHash(bytes: row["hash"] as Data) else { return nil }
    let id: Int64 = try row["id"]
    let products = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT kind, version, parameters, byte_count FROM product WHERE audio_id = :id
          UNION ALL SELECT 'measures', version, parameters, 0 FROM measures WHERE audio_id = :id
          ORDER BY 1
          """),
      arguments: ["id": id]
    ).compactMap { row in
      try ProductKind(rawValue: row[0]).map {
        try StoredProduct(kind: $0, version: row[1], parameters: row[2], byteCount: row[3])
      }
    }
    var format: MediaFormat?
    if let source { format = try Self.format(ofRecording: id, source, db) }
    if format == nil, let rate: Int = try row["sample_rate_hz"] {
      format = MediaFormat(container: Container(rawValue: ""), sampleRateInHz: rate)
    }
    format?.sampleRateInHz = try row["sample_rate_hz"]
    format?.channelCount = try row["channels"]
    format?.decodedFrameCount = try row.frameCount("decoded_frames")
    format?.delayFrameCount = try row["delay_frames"]
    format?.paddingFrameCount = try row["padding_frames"]
    return try RecordingSummary(
      id: id, hash: hash, state: FileState(rawValue: row["state"]) ?? .damaged, problem: Problem(row: row),
      format: format, isKnownBySamples: row["basis"] == "samples", products: products)
  }

  private static func format(ofRecording id: Int64, _ source: FormatSource, _ db: Database) throws -> MediaFormat? {
    var wanted: Int64?
    if case .ofFile(let file) = source { wanted = file }
    return try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT file.container, stream.codec, audio.sample_rate_hz, audio.channels, stream.bits, stream.bitrate_bps,
                 CASE WHEN file.statement IS audio.statement THEN file.declared_frames END AS declared_frames,
                 file.decoded_frames, file.delay_frames, file.padding_frames
            FROM audio
            LEFT JOIN file ON file.audio_id = audio.id
            LEFT JOIN stream ON stream.id = coalesce(file.stream_id, (SELECT min(id) FROM stream WHERE audio_id = :audio))
            LEFT JOIN root ON root.id = file.root_id
           WHERE audio.id = :audio
           ORDER BY file.id IS NOT :file, file.missing_since IS NOT NULL, root.path, file.path, file.id
           LIMIT 1
          """), arguments: ["audio": id, "file": wanted]
    ).flatMap { try MediaFormat(row: $0) }
  }

  /// A stored product with its bytes, of the library itself or else of a shard; nil if there is none.
  ///
  /// - Throws: ``StoreError/damagedProduct(_:kind:recordingID:)`` if the bytes are not those that were written,
  ///   ``StoreError/shard(_:_:)`` if the shard that has the recording cannot be used.
  package func product(_ kind: ProductKind, ofRecording id: Int64) throws(StoreError) -> Product? {
    if let product = try read({ try Self.product(kind, ofRecording: id, $0, in: library) }) { return product }
    return try shardedProduct(kind, ofRecording: id)
  }

  static func product(
    _ kind: ProductKind, ofRecording id: Int64, _ db: Database, in library: LibraryFile
  ) throws -> Product? {
    // A cursor, because a fetched row is a copy, and products are large.
    try Row.fetchCursor(
      db,
      sql: """
        SELECT product.version, product.parameters, product_blob.checksum, product_blob.bytes
          FROM product LEFT JOIN product_blob ON product_blob.product_id = product.id
         WHERE product.audio_id = :audio AND product.kind = :kind
        """,
      arguments: ["audio": id, "kind": kind.rawValue]
    ).map { row in
      guard let checksum: Int64 = try row[2],
        let bytes = try row.withUnsafeData(atIndex: 3, { $0.map([UInt8].init) }),
        Int64(CRC32.checksum(bytes)) == checksum
      else { throw StoreError.damagedProduct(library.path, kind: kind, recordingID: id) }
      return try Product(kind: kind, version: row[0], parameters: row[1], bytes: bytes)
    }.next()
  }

  /// The first bytes of a product that the library itself has, unchecked, such as a header that says what the rest is;
  /// nil if there is none.
  package func start(
    ofProduct kind: ProductKind, ofRecording id: Int64, byteCount: Int
  ) throws(StoreError) -> [UInt8]? {
    try read { db in
      try Data.fetchOne(
        db,
        sql: """
          SELECT substr(product_blob.bytes, 1, :count)
            FROM product JOIN product_blob ON product_blob.product_id = product.id
           WHERE product.audio_id = :audio AND product.kind = :kind
          """,
        arguments: ["audio": id, "kind": kind.rawValue, "count": byteCount]
      ).map([UInt8].init)
    }
  }

  /// nil if a recording was never measured.
  package func measures(ofRecording id: Int64) throws(StoreError) -> Measures? {
    try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM measures WHERE audio_id = ?", arguments: [id])
        .map(MeasureColumns.measures)
    }
  }
}

/// Reads and writes the table `measures`; ``Measures/columns`` names its columns.
enum MeasureColumns {
  private static let names = Measures.columns.map(\.name)

  private static let compared = ["version", "parameters"] + names

  /// Does not write a row that would not change.
  static let upsert = """
    INSERT INTO measures (audio_id, version, parameters, made_at, \(names.joined(separator: ", ")))
    VALUES (:audio, :version, :parameters, :now, \(names.map { ":" + $0 }.joined(separator: ", ")))
    ON CONFLICT (audio_id) DO UPDATE
       SET \((["version", "parameters", "made_at"] + names).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
     WHERE (\(compared.map { "measures.\($0)" }.joined(separator: ", ")))
           IS NOT (\(compared.map { "excluded.\($0)" }.joined(separator: ", ")))
    """

  /// Numbers that are not finite become NULL.
  static func arguments(_ measures: Measures) -> StatementArguments {
    var values: [String: (any DatabaseValueConvertible)?] = [:]
    for column in Measures.columns {
      let value: (any DatabaseValueConvertible)? =
        switch column.slot {
        case .real(let path): measures[keyPath: path]?.finite
        case .count(let path): measures[keyPath: path]
        }
      values[column.name] = .some(value)
    }
    return StatementArguments(values)
  }

  static func measures(_ row: Row) throws -> Measures {
    var measures = Measures()
    for column in Measures.columns {
      switch column.slot {
      case .real(let path): measures[keyPath: path] = try row[column.name]
      case .count(let path): measures[keyPath: path] = try row[column.name]
      }
    }
    return measures
  }
}
