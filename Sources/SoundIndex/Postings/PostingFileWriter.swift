internal import Base
internal import MediaModel

/// Writes a posting file: postings in ascending order, then the recordings; the file appears when all is written.
///
/// - Complexity: Memory for the directory and the table of recordings, not for postings.
struct PostingFileWriter {
  /// More postings make searches read more than they need, fewer make the directory larger.
  private static let postingsPerBucket = 128
  private static let mostDirectoryBits = 22

  private let output: PendingOutput
  private var header = PostingFileHeader()
  private let shift: UInt32
  private var bucket: [UInt64] = []
  private var bucketNumber = 0
  private var bytes: [UInt8] = []
  /// Where each bucket begins, from the first on.
  private var directory: [UInt32] = []
  private var byteCount = 0
  private var recordings = ByteWriter()
  private var peaksByteCount: UInt64 = 0
  private var base: UInt32 = 0
  private var hasPeaks = false

  /// - Parameter postingCount: A guess, which decides only about the number of buckets.
  init(at path: BytePath, postingCount: Int) throws(SoundIndexError) {
    do throws(OutputError) {
      output = try OutputFile(path).begin()
      try output.append(PostingFileHeader().bytes)
    } catch { throw .output(error) }
    let wanted = max(1, postingCount / Self.postingsPerBucket)
    let bits = min(Self.mostDirectoryBits, Int.bitWidth - wanted.leadingZeroBitCount)
    header.directoryBits = UInt32(bits)
    shift = UInt32(LandmarkPair.bitCount - bits)
    directory.reserveCapacity(1 << bits + 1)
  }

  /// Adds a posting; pairs never decrease, and positions of one pair neither.
  mutating func append(_ pair: UInt32, at position: UInt32) throws(SoundIndexError) {
    let number = Int(pair >> shift)
    if number != bucketNumber {
      try closeBuckets(before: number)
    }
    bucket.append(UInt64(pair & (1 << shift - 1)) << 32 | UInt64(position))
    header.postingCount += 1
  }

  /// Adds a recording after all postings; recordings come in the order of their positions.
  mutating func append(
    _ hash: ContentHash, checksum: UInt32, columnCount: UInt32, landmarks: [UInt8]
  ) throws(SoundIndexError) {
    if !hasPeaks { try closePostings() }
    IndexedRecording(
      hash: hash, checksum: checksum, columnCount: columnCount, base: base, peaksOffset: peaksByteCount,
      peaksByteCount: UInt32(landmarks.count)
    ).append(to: &recordings)
    try write(landmarks)
    peaksByteCount += UInt64(landmarks.count)
    base += columnCount
    header.recordingCount += 1
  }

  /// Puts the file in place.
  mutating func commit() throws(SoundIndexError) {
    if !hasPeaks { try closePostings() }
    header.columnCount = UInt64(base)
    header.recordingsOffset = UInt64(byteCount) + UInt64(PostingFileHeader.byteCount)
    header.recordingsChecksum = CRC32.checksum(recordings.bytes)
    try write(recordings.bytes)
    header.fileByteCount = UInt64(byteCount) + UInt64(PostingFileHeader.byteCount)
    do throws(OutputError) {
      try output.replaceStart(with: header.bytes)
      try output.commit()
    } catch { throw .output(error) }
  }

  private mutating func closeBuckets(before number: Int) throws(SoundIndexError) {
    while bucketNumber < number {
      directory.append(UInt32(byteCount + bytes.count))
      PostingBucket.append(bucket, to: &bytes)
      bucket.removeAll(keepingCapacity: true)
      bucketNumber += 1
    }
    if bytes.count >= 1 << 18 { try flush() }
  }

  private mutating func closePostings() throws(SoundIndexError) {
    try closeBuckets(before: 1 << Int(header.directoryBits))
    try flush()
    directory.append(UInt32(byteCount))
    header.directoryOffset = UInt64(PostingFileHeader.byteCount + byteCount)
    var writer = ByteWriter(capacity: 4 * directory.count)
    for start in directory { writer.append(start) }
    try write(writer.bytes)
    header.peaksOffset = UInt64(PostingFileHeader.byteCount + byteCount)
    hasPeaks = true
  }

  private mutating func flush() throws(SoundIndexError) {
    let full = bytes
    bytes.removeAll(keepingCapacity: true)
    try write(full)
  }

  private mutating func write(_ bytes: [UInt8]) throws(SoundIndexError) {
    do throws(OutputError) { try output.append(bytes) } catch { throw .output(error) }
    byteCount += bytes.count
  }
}
