/// The first frame of a bare stream, perhaps behind bytes that belong to none: blanks, the rest of a frame that was cut,
/// a tag that is longer than it says.
///
/// Noise looks like a header every few thousand bytes; so behind such bytes a header counts only if others follow it,
/// each where the frame before it ends.
struct BareFrameSearch {
  /// How many headers in a row are no accident. Streams of video hold up to three frames of sound in one piece.
  private static let provingHeaderCount = 4

  let syntax: any BareFrameSyntax
  /// Of the frames, without what is before them.
  let range: Range<Int64>
  /// Before the frames.
  let junk: Range<Int64>

  /// nil if there is no frame within ``BufferedBytes/resyncLimit``.
  ///
  /// - Parameters:
  ///   - limit: a frame that begins at it or later does not count.
  ///   - canBegin: whether a frame can begin with this byte.
  ///   - makeSyntax: the syntax of a stream whose first frame begins with these bytes.
  init?(
    _ bytes: BufferedBytes, in range: Range<Int64>, before limit: Int64, canBegin: (UInt8) -> Bool,
    _ makeSyntax: (_ head: [UInt8]) -> (any BareFrameSyntax)?
  ) throws(DecodingError) {
    let limit = min(limit, range.upperBound, range.lowerBound + BufferedBytes.resyncLimit)
    var offset = range.lowerBound
    while offset < limit {
      if let syntax = makeSyntax(try bytes.copy(at: offset, count: Self.headByteCount)),
        try Self.isStream(bytes, at: offset, in: range, syntax)
      {
        self.syntax = syntax
        self.range = offset..<range.upperBound
        junk = range.lowerBound..<offset
        return
      }
      offset += 1
      offset += try bytes.byteCountToSync(from: offset, before: limit, limit: limit - offset, where: canBegin)
    }
    return nil
  }

  /// No syntax needs more.
  private static let headByteCount = 32

  /// Whether frames follow each other from `start` on.
  private static func isStream(
    _ bytes: BufferedBytes, at start: Int64, in range: Range<Int64>, _ syntax: any BareFrameSyntax
  ) throws(DecodingError) -> Bool {
    var (offset, count) = (start, 0)
    // Where the audio begins, as many are enough as between two frames.
    let neededCount = start == range.lowerBound ? 2 : provingHeaderCount
    while count < neededCount {
      // Fewer prove nothing at the end of a file, unless they are most of it.
      if offset >= range.upperBound {
        guard start > range.lowerBound else { return count > 1 || offset == range.upperBound }
        return count > 1 && range.upperBound - start > start - range.lowerBound
      }
      guard let frame = syntax.frame(try bytes.copy(at: offset, count: syntax.headByteCount)),
        count > 0 || frame.role == .packet
      else { return false }
      offset += Int64(frame.byteCount)
      count += 1
    }
    return true
  }
}
