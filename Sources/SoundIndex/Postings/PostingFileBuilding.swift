internal import Base
package import MediaModel

/// What a posting file is made of.
package struct NewRecording: Sendable {
  package var hash: ContentHash
  /// The bytes that the library has, and their CRC-32.
  package var landmarkBytes: [UInt8]
  package var checksum: UInt32

  package init(hash: ContentHash, landmarkBytes: [UInt8], checksum: UInt32) {
    self.hash = hash
    self.landmarkBytes = landmarkBytes
    self.checksum = checksum
  }
}

/// Makes posting files: of new recordings, and of other posting files.
enum PostingFileBuilding {
  /// Recordings whose postings fit into memory: some 60 MB for music.
  static let recordingsAtOnce = 2_000
  /// Positions have 32 bits.
  static let mostColumns: UInt64 = 3_000_000_000

  /// A posting before it is sorted.
  private struct Posting {
    var pair: UInt32
    var position: UInt32
  }

  /// Writes a posting file of recordings whose landmarks can be read; the others are left out.
  ///
  /// - Complexity: O(n) for n postings.
  static func write(_ recordings: [NewRecording], to path: BytePath) throws(SoundIndexError) {
    var postings: [Posting] = []
    var base: UInt32 = 0
    var kept: [(NewRecording, UInt32)] = []
    for recording in recordings {
      guard let landmarks = try? Landmarks(blob: recording.landmarkBytes) else { continue }
      LandmarkPair.forEachStored(of: landmarks) { pair, column in
        postings.append(Posting(pair: pair, position: base + UInt32(column)))
      }
      kept.append((recording, UInt32(landmarks.columnCount)))
      base += UInt32(landmarks.columnCount)
    }
    sort(&postings)
    var writer = try PostingFileWriter(at: path, postingCount: postings.count)
    for posting in postings { try writer.append(posting.pair, at: posting.position) }
    for (recording, columnCount) in kept {
      try writer.append(
        recording.hash, checksum: recording.checksum, columnCount: columnCount, landmarks: recording.landmarkBytes)
    }
    try writer.commit()
  }

  /// By pair, in two passes that keep the order of equal ones, which is that of their positions.
  private static func sort(_ postings: inout [Posting]) {
    let bits = UInt32(LandmarkPair.bitCount + 1) / 2
    var other = postings
    for pass in 0..<2 {
      let shift = UInt32(pass) * bits
      let mask: UInt32 = 1 << bits - 1
      var places = [Int](repeating: 0, count: 1 << Int(bits) + 1)
      for posting in postings { places[Int(posting.pair >> shift & mask) + 1] += 1 }
      for digit in 1..<places.count { places[digit] += places[digit - 1] }
      for posting in postings {
        let digit = Int(posting.pair >> shift & mask)
        other[places[digit]] = posting
        places[digit] += 1
      }
      swap(&postings, &other)
    }
  }

  /// Writes one posting file that has the recordings of several, without those that are dead.
  ///
  /// - Parameter isDead: Whether a recording of a posting file, both counted from 0, is left out.
  /// - Complexity: O(n) for n postings, in memory for one bucket of each posting file.
  static func merge(
    _ postingFiles: [PostingFile], to path: BytePath, without isDead: (Int, Int) -> Bool, onProgress: () throws -> Void
  ) throws {
    var nextBase: UInt32 = 0
    // For each posting file, what is added to the positions of each recording; nil for those that are left out.
    var shifts: [[Int64?]] = []
    for (number, postingFile) in postingFiles.enumerated() {
      shifts.append(
        (0..<postingFile.recordingCount).map { index in
          guard !isDead(number, index) else { return nil }
          let recording = postingFile.recording(index)
          defer { nextBase += recording.columnCount }
          return Int64(nextBase) - Int64(recording.base)
        })
    }
    let hasGaps = shifts.map { $0.contains { $0 == nil } }
    var writer = try PostingFileWriter(
      at: path, postingCount: postingFiles.reduce(0) { $0 + Int($1.header.postingCount) })
    // Pairs are merged range by range: one bucket of the posting file with the fewest, which is several of the others.
    let rangeBits = postingFiles.map(\.header.directoryBits).min() ?? 0
    var postings: [Posting] = []
    for range in 0..<1 << Int(rangeBits) {
      postings.removeAll(keepingCapacity: true)
      for (number, postingFile) in postingFiles.enumerated() {
        let perRange = 1 << Int(postingFile.header.directoryBits - rangeBits)
        for bucket in range * perRange..<(range + 1) * perRange {
          let constant = hasGaps[number] ? nil : shifts[number].first ?? nil
          try postingFile.forEachPosting(ofBucket: bucket, at: postingFile.place(ofBucket: bucket)) { pair, position in
            let shift = constant ?? shifts[number][postingFile.indexOfRecording(at: position)]
            guard let shift else { return }
            postings.append(Posting(pair: pair, position: UInt32(truncatingIfNeeded: Int64(position) + shift)))
          }
        }
      }
      // Each posting file's are sorted already, and positions of later ones are larger: equal pairs keep their order.
      if postingFiles.count > 1 { mergeSort(&postings) }
      for posting in postings { try writer.append(posting.pair, at: posting.position) }
      if range % 64 == 0 { try onProgress() }
    }
    for (number, postingFile) in postingFiles.enumerated() {
      for index in 0..<postingFile.recordingCount where shifts[number][index] != nil {
        let recording = postingFile.recording(index)
        try writer.append(
          recording.hash, checksum: recording.checksum, columnCount: recording.columnCount,
          landmarks: try postingFile.landmarkBytes(index))
      }
    }
    try writer.commit()
  }

  private static func mergeSort(_ postings: inout [Posting]) {
    postings.sort { ($0.pair, $0.position) < ($1.pair, $1.position) }
  }
}
