/// A row of chunks: how they begin, and which of them are known.
struct ChunkRow {
  /// Chunks whose whole body must be padding.
  fileprivate static let paddingNames: Set<String> = [
    "JUNK", "junk", "PAD ", "FLLR", "filr", "Fake", "free", "skip", "wide",
  ]
  /// What is not sound in a list: titles, and texts for marks.
  fileprivate static let listTypes: Set<String> = ["INFO", "adtl", "exif", "Info", "adl ", "PCON"]

  var form: ChunkForm
  let dataName: String
  let known: Set<String>
}

extension FileAccount {
  /// Goes along a row of chunks up to the end of the file.
  ///
  /// - Parameter data: What is decoded of the first chunk with sound; if its own length makes no sense, it ends there.
  mutating func add(
    _ row: ChunkRow, from start: Int64, origin: Int64, data: Range<Int64>
  ) throws(DecodingError) {
    let end = bytes.byteCount
    var offset = start
    var isBehindData = false
    for _ in 0..<ChunkForm.maximumCount where offset < end {
      let padding = (row.form.alignment - (offset - origin) % row.form.alignment) % row.form.alignment
      guard offset + padding < end else { return }
      // Some programs do not fill up to an even length.
      let isAligned = try isChunk(at: offset + padding, row)
      let isUnaligned = try isChunk(at: offset, row)
      offset += isUnaligned && !isAligned ? 0 : padding
      if let length = try TagBounds.leadingTagLength(bytes, at: offset), offset + length <= end {
        try leave(offset..<offset + length)
        offset += length
        continue
      }
      let head = try bytes.copy(at: offset, count: ChunkForm.headByteCount)
      let name = String(decoding: head.prefix(4), as: UTF8.self)
      let isOpen = name == row.dataName && !isBehindData && head.count > 4
      guard let byteCount = row.form.byteCount(head) ?? (isOpen ? .max : nil) else { break }
      let (claimed, overflow) = offset.addingReportingOverflow(byteCount)
      var next = overflow ? end : min(claimed, end)
      let body = min(offset + row.form.headByteCountOfChunk, next)
      if name == row.dataName, !isBehindData {
        isBehindData = true
        next = overflow || claimed > end ? data.upperBound : max(next, data.upperBound)
        try leave(body..<max(body, data.lowerBound))
        try leave(data.upperBound..<max(next, data.upperBound))
      } else if !row.known.contains(name) || ChunkRow.paddingNames.contains(name) {
        try leave(body..<next)
      } else if name == "LIST" || name == "list", row.form != .wave64 {
        let type = String(decoding: try bytes.copy(at: body, count: 4), as: UTF8.self)
        if !ChunkRow.listTypes.contains(type) { try leave(body..<next) }
      }
      guard next > offset else { break }
      offset = next
    }
    if offset < end { try leave(offset..<end) }
  }

  private func isChunk(at offset: Int64, _ row: ChunkRow) throws(DecodingError) -> Bool {
    let name = String(decoding: try bytes.copy(at: offset, count: 4), as: UTF8.self)
    return name == row.dataName || row.known.contains(name) || ChunkRow.paddingNames.contains(name)
  }
}
