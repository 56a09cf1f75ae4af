/// Where a FLAC stream begins in a file: with its marker, or with a frame if that is cut off, perhaps behind bytes that
/// belong to neither the stream nor a tag.
package enum FLACStart {
  /// From the start of the stream to the end of the audio.
  package static func range(_ bytes: BufferedBytes) throws(DecodingError) -> Range<Int64> {
    try range(bytes, TagBounds(bytes).audio)
  }

  /// - Parameter audio: the file without the tags around it.
  static func range(_ bytes: BufferedBytes, _ audio: Range<Int64>) throws(DecodingError) -> Range<Int64> {
    let head = try bytes.copy(at: audio.lowerBound, count: FLACFrameShape.maximumByteCount)
    if head.has("fLaC", at: 0) || FLACFrameShape.isHeader(head) { return audio }
    return (try search(bytes, around: audio) ?? audio.lowerBound)..<audio.upperBound
  }

  /// The first stream marker, or else the first frame behind which the next one follows; nil if there is none.
  ///
  /// A tag before it may be shorter than it says, so that the marker stands before `audio`.
  static func search(_ bytes: BufferedBytes, around audio: Range<Int64>) throws(DecodingError) -> Int64? {
    let first = max(0, audio.lowerBound - BufferedBytes.resyncLimit)
    let limit = min(audio.upperBound, audio.lowerBound + BufferedBytes.resyncLimit)
    var offset = first
    while offset < limit {
      offset += try bytes.byteCountToSync(from: offset, before: limit, limit: limit - offset) { $0 == 0x66 }
      if offset < limit, try isMarker(bytes, at: offset) { return offset }
      offset += 1
    }
    return try firstFrame(bytes, in: audio.lowerBound..<limit)
  }

  /// Whether a marker and a STREAMINFO are at `offset`.
  private static func isMarker(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> Bool {
    guard try bytes.matches("fLaC", at: offset) else { return false }
    let head = try bytes.copy(at: offset, count: 8 + FLACStreamInfo.byteCount)
    guard head.count > 8, head[4] & 0x7F == 0,
      head[5..<8].elementsEqual([0, 0, UInt8(FLACStreamInfo.byteCount)]), let info = FLACStreamInfo(Array(head[8...]))
    else { return false }
    return info.sampleRateInHz > 0
  }

  /// Where the frames begin if the lengths of the metadata blocks lead to `place`, where none does or where chance may
  /// have led; nil if it is not found.
  ///
  /// A first frame that is damaged is where it has to be: what is found behind it is not the first.
  static func firstFrame(
    _ bytes: BufferedBytes, in range: Range<Int64>, insteadOf place: Int64
  ) throws(DecodingError) -> Int64? {
    let limit = min(range.upperBound, range.lowerBound + BufferedBytes.resyncLimit)
    guard let found = try firstFrame(bytes, in: range.lowerBound..<limit) else { return nil }
    let head = try bytes.copy(at: found, count: FLACFrameShape.maximumByteCount)
    let isFirst = FLACFrameShape.numbers(head)?.own == 0
    return found < place || isFirst ? found : nil
  }

  /// What the header of the frame behind another one says.
  private struct Successor: Hashable {
    let shape: FLACFrameShape
    let number: Int64
  }

  /// Of frames without a successor: chance gives one in some ten megabytes.
  private static let maximumHeaderCount = 1_000

  private static func firstFrame(_ bytes: BufferedBytes, in range: Range<Int64>) throws(DecodingError) -> Int64? {
    var expected: [Successor: Int64] = [:]
    var start = range.lowerBound
    for _ in 0..<maximumHeaderCount {
      guard let found = try FLACFrameShape.firstHeader(bytes, in: start..<range.upperBound) else { return nil }
      let head = try bytes.copy(at: found, count: FLACFrameShape.maximumByteCount)
      if let shape = FLACFrameShape(head), let numbers = FLACFrameShape.numbers(head) {
        if let first = expected[Successor(shape: shape, number: numbers.own)] { return first }
        let next = Successor(shape: shape, number: numbers.next)
        if expected[next] == nil { expected[next] = found }
      }
      start = found + 1
    }
    return nil
  }
}
