internal import Foundation
package import LibraryDatabase
internal import LibraryQueries
package import MediaModel
package import MediaStore

/// What the library has of a stream, so that it is not decoded twice.
package struct KnownStream: Hashable, Sendable {
  package var recording: RecordingSummary
  /// What the file said whose decode is stored; nil if none is.
  package var declaration: StreamDeclaration?
  /// Whether the stream was found by a hash of version 1, which different streams may share.
  package var isFormer: Bool
  /// Whether the recording should be known by its samples, but was not decoded since this is done.
  package var lacksSampleHash: Bool
  /// Files that hold the recording, missing ones included.
  package var fileCount: Int
  /// Whether its samples are frames of another codec, as a file with it was found to say.
  package var isCodedSound: Bool
}

extension Recordings {
  /// A stream, found by the unique index on hashes: by its own hash, or by that of version 1, if no file was read since.
  package func stream(_ identity: StreamIdentity) throws(StoreError) -> KnownStream? {
    try store.read { db in
      guard let row = try StreamRow.find(identity, db),
        let audio = try Row.fetchOne(
          db.cachedStatement(sql: "SELECT * FROM audio WHERE id = ?"), arguments: [row.recordingID]),
        let summary = try Self.summary(of: audio, format: nil, in: db)
      else { return nil }
      let codec = row.codec.map(Codec.init(rawValue:))
      var recording = summary
      recording.format?.codec = codec
      return try KnownStream(
        recording: recording, declaration: (audio["statement"] as String?).flatMap(StreamDeclaration.init),
        isFormer: row.hash != identity.hash,
        lacksSampleHash: codec?.isLossless == true && audio["basis"] == "stream" && summary.state == .ok,
        fileCount: audio["file_count"], isCodedSound: Self.isCodedSound(row.id, db))
    }
  }

  private static func isCodedSound(_ streamID: Int64, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM file WHERE stream_id = :stream AND instr(notes, :note) > 0)"),
      arguments: ["stream": streamID, "note": Extraction.codedSoundNote]) ?? false
  }

  /// Whether a file that holds a recording, other than the one at a path, makes a declaration about its stream.
  package func isDeclared(
    _ declaration: StreamDeclaration, ofRecording id: Int64, exceptByFile fileID: Int64?
  ) throws(StoreError) -> Bool {
    try store.read { db in
      try Bool.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT EXISTS (SELECT 1 FROM file WHERE audio_id = :audio AND statement = :statement AND id IS NOT :file)
            """),
        arguments: ["audio": id, "statement": declaration.description, "file": fileID]) ?? false
    }
  }

  /// What the file says about its stream whose decode is stored of a recording; nil if that was not read yet.
  package func declaration(of id: Int64) throws(StoreError) -> StreamDeclaration? {
    try store.read { db in
      try String.fetchOne(
        db.cachedStatement(sql: "SELECT statement FROM audio WHERE id = ?"), arguments: [id]
      ).flatMap(StreamDeclaration.init)
    }
  }
}

extension Recordings {
  /// The hash of the stream in a file, with its version; nil if none is known.
  package func streamHash(ofFile id: Int64) throws(StoreError) -> (hash: ContentHash, version: Int)? {
    try store.read { db in
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: "SELECT hash, hash_version FROM stream WHERE id = (SELECT stream_id FROM file WHERE id = ?)"),
        arguments: [id])
      guard let row, let hash = ContentHash(bytes: try row[0] as Data) else { return nil }
      return (hash, try row[1])
    }
  }
}

extension Recordings {
  /// Whether a file that is there holds a recording.
  package func isPresent(_ hash: ContentHash) throws(StoreError) -> Bool {
    try store.read { db in
      try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT present_count > 0 FROM audio WHERE hash = ?"), arguments: [Data(hash.bytes)])
        ?? false
    }
  }
}

/// A row of `stream`.
package struct StreamRow {
  package var id: Int64
  package var recordingID: Int64
  package var hash: ContentHash
  package var codec: String?

  package static func find(_ identity: StreamIdentity, _ db: Database) throws -> StreamRow? {
    if let row = try find(identity.hash, version: nil, db) { return row }
    return try identity.formerHash.flatMap { try find($0, version: 1, db) }
  }

  package static func find(_ hash: ContentHash, version: Int?, _ db: Database) throws -> StreamRow? {
    try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT id, audio_id, codec FROM stream
           WHERE hash = :hash AND hash_version = coalesce(:version, hash_version)
          """),
      arguments: ["hash": Data(hash.bytes), "version": version]
    ).map { try StreamRow(id: $0[0], recordingID: $0[1], hash: hash, codec: $0[2]) }
  }
}
