internal import Base
internal import Glibc
package import MediaModel

/// An immutable file of the index: the pairs of some recordings, sorted, and the landmarks of each.
///
/// It is read with `pread`, so a file that is cut off while it is in use gives an error and no signal. May be used from
/// one thread at a time.
package final class PostingFile {
  /// A directory of at most this size is read at once.
  private static let directoryInMemory = 1 << 20

  let path: BytePath
  let header: PostingFileHeader
  private let descriptor: Int32
  /// The table of recordings.
  private let table: [UInt8]
  private let directory: [UInt8]?
  private var buffer: [UInt8] = []

  init(at path: BytePath) throws(SoundIndexError) {
    self.path = path
    let descriptor = try IndexFile.open(at: path)
    self.descriptor = descriptor
    do {
      let start = try Self.read(descriptor, path, PostingFileHeader.byteCount, at: 0)
      do throws(ByteReader.Failure) { header = try PostingFileHeader(start) } catch {
        throw SoundIndexError.damaged(path, reason: error.reason)
      }
      let end = lseek(descriptor, 0, SEEK_END)
      guard end == Int64(header.fileByteCount),
        header.fileByteCount - header.recordingsOffset
          == UInt64(header.recordingCount) * UInt64(IndexedRecording.byteCount),
        header.peaksOffset - header.directoryOffset == 4 * (1 << UInt64(header.directoryBits) + 1)
      else { throw SoundIndexError.damaged(path, reason: "has another length than its header says") }
      table = try Self.read(
        descriptor, path, Int(header.fileByteCount - header.recordingsOffset), at: header.recordingsOffset)
      guard CRC32.checksum(table) == header.recordingsChecksum else {
        throw SoundIndexError.damaged(path, reason: "the table of recordings is damaged")
      }
      let size = Int(header.peaksOffset - header.directoryOffset)
      directory =
        size <= Self.directoryInMemory ? try Self.read(descriptor, path, size, at: header.directoryOffset) : nil
    } catch {
      close(descriptor)
      throw error as? SoundIndexError ?? .damaged(path, reason: "\(error)")
    }
  }

  deinit { close(descriptor) }

  package var recordingCount: Int { Int(header.recordingCount) }

  package func recording(_ index: Int) -> IndexedRecording {
    table.withUnsafeBytes { bytes in
      let start = index * IndexedRecording.byteCount
      return IndexedRecording(UnsafeRawBufferPointer(rebasing: bytes[start..<start + IndexedRecording.byteCount]))
    }
  }

  /// The recording that a position belongs to.
  ///
  /// - Complexity: O(log n) for n recordings.
  func indexOfRecording(at position: UInt32) -> Int {
    var (low, high) = (0, recordingCount)
    while high - low > 1 {
      let middle = (low + high) / 2
      if recording(middle).base <= position { low = middle } else { high = middle }
    }
    return low
  }

  /// The landmarks of a recording, as the library has them.
  package func landmarks(_ index: Int) throws(SoundIndexError) -> Landmarks {
    let bytes = try landmarkBytes(index)
    do throws(ByteReader.Failure) { return try Landmarks(blob: bytes) } catch {
      throw .damaged(path, reason: "landmarks of a recording: \(error)")
    }
  }

  func landmarkBytes(_ index: Int) throws(SoundIndexError) -> [UInt8] {
    let recording = recording(index)
    let (start, overflow) = header.peaksOffset.addingReportingOverflow(recording.peaksOffset)
    guard !overflow, start <= header.fileByteCount,
      UInt64(recording.peaksByteCount) <= header.fileByteCount - start
    else {
      throw .damaged(path, reason: "landmarks of a recording are behind its end")
    }
    let bytes = try Self.read(descriptor, path, Int(recording.peaksByteCount), at: start)
    guard CRC32.checksum(bytes) == recording.checksum else {
      throw .damaged(path, reason: "the landmarks of a recording are damaged")
    }
    return bytes
  }

  // MARK: - Postings

  var shift: UInt32 { UInt32(LandmarkPair.bitCount) - header.directoryBits }

  /// Where a bucket is among the bytes of the postings.
  func place(ofBucket number: Int) throws(SoundIndexError) -> Range<Int> {
    var pair = (UInt32(0), UInt32(0))
    if let directory {
      directory.withUnsafeBytes { bytes in
        pair.0 = bytes.loadUnaligned(fromByteOffset: 4 * number, as: UInt32.self).littleEndian
        pair.1 = bytes.loadUnaligned(fromByteOffset: 4 * number + 4, as: UInt32.self).littleEndian
      }
    } else {
      let result = withUnsafeMutableBytes(of: &pair) { bytes in
        DescriptorBytes.read(from: descriptor, into: bytes, at: Int64(header.directoryOffset) + Int64(4 * number))
      }
      guard result.count == 8 else { throw .damaged(path, reason: "ends inside its directory") }
      pair = (pair.0.littleEndian, pair.1.littleEndian)
    }
    guard pair.0 <= pair.1, UInt64(pair.1) <= header.directoryOffset - UInt64(PostingFileHeader.byteCount) else {
      throw .damaged(path, reason: "its directory is damaged")
    }
    return Int(pair.0)..<Int(pair.1)
  }

  /// Calls `body` with the pair and the position of each posting of a bucket.
  func forEachPosting(
    ofBucket number: Int, at place: Range<Int>, _ body: (UInt32, UInt32) -> Void
  ) throws(SoundIndexError) {
    guard !place.isEmpty else { return }
    let size = place.count + PostingBucket.padding
    if buffer.count < size { buffer = [UInt8](repeating: 0, count: 2 * size) }
    let first = UInt32(number) << shift
    let isIntact = buffer.withUnsafeMutableBytes { bytes in
      let target = UnsafeMutableRawBufferPointer(rebasing: bytes[..<place.count])
      let result = DescriptorBytes.read(
        from: descriptor, into: target, at: Int64(PostingFileHeader.byteCount + place.lowerBound))
      guard result.count == place.count else { return false }
      return PostingBucket.forEach(in: UnsafeRawBufferPointer(bytes), byteCount: place.count) { posting in
        body(first | UInt32(truncatingIfNeeded: posting >> 32), UInt32(truncatingIfNeeded: posting))
      }
    }
    guard isIntact else { throw .damaged(path, reason: "postings are damaged") }
  }

  /// Exactly `count` bytes.
  private static func read(
    _ descriptor: Int32, _ path: BytePath, _ count: Int, at offset: UInt64
  ) throws(SoundIndexError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try DescriptorBytes.bytes(from: descriptor, count: count, at: Int64(offset))
    } catch { throw .system(path, code: error.code) }
    guard bytes.count == count else { throw .damaged(path, reason: "is cut off") }
    return bytes
  }
}
