internal import MediaModel
internal import MediaStore

/// Results that are not stored yet: committed together, because a transaction costs as much as a file.
struct ChangeBatch {
  private static let maximumCount = 64
  private static let maximumByteCount = 16 << 20
  private static let maximumAgeInSeconds = 2.0

  private var records: [(record: FileRecord, isNewPath: Bool)] = []
  private var byteCount = 0
  private var startedAt = monotonicSeconds()

  var isEmpty: Bool { records.isEmpty }

  var isDue: Bool {
    !records.isEmpty
      && (records.count >= Self.maximumCount || byteCount >= Self.maximumByteCount
        || monotonicSeconds() - startedAt >= Self.maximumAgeInSeconds)
  }

  mutating func append(_ record: FileRecord, isNewPath: Bool) {
    if records.isEmpty { startedAt = monotonicSeconds() }
    byteCount += record.extraction.products.reduce(0) { $0 + $1.bytes.count }
    byteCount += record.extraction.artwork.reduce(0) { $0 + $1.bytes.count }
    records.append((record, isNewPath))
  }

  /// The changes for the store; a new path whose sound belongs to a row without a place takes that row over.
  func changes(displacedRow: (ContentHash) throws(StoreError) -> Int64?) throws(StoreError) -> [FileChange] {
    var changes: [FileChange] = []
    for (record, isNewPath) in records {
      var record = record
      if isNewPath, let hash = record.extraction.payloadHash { record.movedFrom = try displacedRow(hash) }
      changes.append(.extracted(record))
    }
    return changes
  }
}
