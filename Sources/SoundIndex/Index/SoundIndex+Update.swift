package import Base
internal import Glibc
package import MediaModel

/// What an update compares an index with: all recordings of a library that have landmarks.
package struct LibraryListing: Sendable {
  package struct Entry: Sendable {
    package var hash: ContentHash
    /// CRC-32 of the landmarks.
    package var checksum: UInt32
    /// Of the library's row, for reading the landmarks.
    package var productID: Int64

    package init(hash: ContentHash, checksum: UInt32, productID: Int64) {
      self.hash = hash
      self.checksum = checksum
      self.productID = productID
    }
  }

  /// Sixteen bytes that differ for each state of the library.
  package var mark: [UInt8]
  package var recipeVersion: Int
  package var entries: [Entry]

  package init(mark: [UInt8], recipeVersion: Int, entries: [Entry]) {
    self.mark = mark
    self.recipeVersion = recipeVersion
    self.entries = entries
  }
}

/// What an update did.
package struct IndexUpdateReport: Hashable, Sendable {
  package var addedCount = 0
  /// Recordings that no longer count.
  package var removedCount = 0
  /// Why the index was made from nothing although there was one.
  package var replacedBecause: String?
  /// Whether another process is updating the index, so nothing was done.
  package var isBusy = false
}

extension SoundIndex {
  private static let lockName = BytePath("lock")
  /// An index with more posting files is merged while recordings are added.
  private static let mostPostingFiles = 24
  /// The share of recordings that do not count at which a posting file is written again.
  private static let largestDeadShare = 0.25

  /// Adds what a library has and the index lacks, and drops what the library no longer has.
  ///
  /// A damaged index, or one of another version, is made again. Killing the process at any moment leaves an index that
  /// the next update completes.
  /// - Parameters:
  ///   - load: Reads the landmarks of some entries; those that cannot be read are left out.
  ///   - onProgress: Is given the numbers of recordings that are done and to be done.
  package static func update(
    at folder: BytePath, to listing: LibraryListing,
    load: ([LibraryListing.Entry]) throws -> [NewRecording], onProgress: (Int, Int) throws -> Void = { _, _ in }
  ) throws -> IndexUpdateReport {
    guard let lock = try UpdateLock(at: folder, name: lockName) else {
      var report = IndexUpdateReport()
      report.isBusy = true
      return report
    }
    defer { withExtendedLifetime(lock) {} }
    var report = IndexUpdateReport()
    var manifest = IndexManifest()
    var index: SoundIndex?
    do throws(SoundIndexError) {
      let present = try SoundIndex.open(at: folder)
      if present.manifest.postingFiles.isEmpty || present.manifest.recipeVersion == UInt32(listing.recipeVersion) {
        (manifest, index) = (present.manifest, present)
      } else {
        report.replacedBecause = "its landmarks are of another version"
      }
    } catch {
      report.replacedBecause = error.description
    }
    let missing = compare(index, with: listing, &manifest, &report)
    manifest.recipeVersion = UInt32(listing.recipeVersion)
    manifest.mark = []

    var done = 0
    for start in stride(from: 0, to: missing.count, by: PostingFileBuilding.recordingsAtOnce) {
      try onProgress(done, missing.count)
      let entries = Array(missing[start..<min(start + PostingFileBuilding.recordingsAtOnce, missing.count)])
      try PostingFileBuilding.write(
        load(entries), to: folder.appending(IndexManifest.postingFileName(manifest.nextNumber)))
      manifest.postingFiles.append(IndexManifest.PostingFileEntry(number: manifest.nextNumber))
      manifest.nextNumber += 1
      done += entries.count
      report.addedCount += entries.count
      try write(manifest, in: folder)
      if manifest.postingFiles.count > mostPostingFiles {
        try merge(&manifest, in: folder) { try onProgress(done, missing.count) }
      }
    }
    try merge(&manifest, in: folder) { try onProgress(done, missing.count) }
    manifest.mark = listing.mark
    try write(manifest, in: folder)
    removeOthers(than: manifest, in: folder)
    return report
  }

  /// Marks recordings that the library no longer has, and gives those that the index lacks.
  private static func compare(
    _ index: SoundIndex?, with listing: LibraryListing, _ manifest: inout IndexManifest,
    _ report: inout IndexUpdateReport
  ) -> [LibraryListing.Entry] {
    var checksums: [ContentHash: UInt32] = [:]
    checksums.reserveCapacity(listing.entries.count)
    for entry in listing.entries { checksums[entry.hash] = entry.checksum }
    for (number, postingFile) in (index?.postingFiles ?? []).enumerated() {
      for recording in 0..<postingFile.recordingCount {
        let dead = IndexManifest.Dead(postingFile: manifest.postingFiles[number].number, recording: UInt32(recording))
        guard !manifest.dead.contains(dead) else { continue }
        let known = postingFile.recording(recording)
        if checksums[known.hash] == known.checksum {
          checksums[known.hash] = nil
        } else {
          manifest.dead.insert(dead)
          report.removedCount += 1
        }
      }
    }
    return listing.entries.filter { checksums[$0.hash] == $0.checksum }
  }

  /// Merges the smallest posting files until each is larger than all that are smaller together: there are at most as many as
  /// the logarithm of the number of recordings, and each posting is written as often.
  private static func merge(
    _ manifest: inout IndexManifest, in folder: BytePath, onProgress: () throws -> Void
  ) throws {
    let index = try SoundIndex(at: folder, manifest)
    let order = index.postingFiles.indices.sorted {
      index.postingFiles[$0].header.columnCount > index.postingFiles[$1].header.columnCount
    }
    let sizes = order.map { index.postingFiles[$0].header.columnCount }
    var first = sizes.count
    for place in sizes.indices {
      let rest = sizes[(place + 1)...].reduce(0, +)
      let isMostlyDead =
        Double(index.dead[order[place]].count)
        > largestDeadShare * Double(index.postingFiles[order[place]].recordingCount)
      if sizes[place] + rest <= PostingFileBuilding.mostColumns, isMostlyDead || sizes[place] <= rest {
        first = place
        break
      }
    }
    guard first < sizes.count else { return }
    let merged = order[first...].sorted()
    let number = manifest.nextNumber
    try PostingFileBuilding.merge(
      merged.map { index.postingFiles[$0] }, to: folder.appending(IndexManifest.postingFileName(number)),
      without: { !index.counts($1, ofPostingFile: merged[$0]) }, onProgress: onProgress)
    manifest.nextNumber += 1
    let replaced = Set(merged.map { manifest.postingFiles[$0].number })
    manifest.postingFiles.removeAll { replaced.contains($0.number) }
    manifest.dead = manifest.dead.filter { !replaced.contains($0.postingFile) }
    manifest.postingFiles.append(IndexManifest.PostingFileEntry(number: number))
    try write(manifest, in: folder)
    removeOthers(than: manifest, in: folder)
  }

  private static func write(_ manifest: IndexManifest, in folder: BytePath) throws(SoundIndexError) {
    do throws(OutputError) {
      try OutputFile(folder.appending(IndexManifest.fileName)).write(manifest.bytes)
    } catch { throw .output(error) }
  }

  /// Removes posting files that the manifest does not name, and what killed processes left.
  private static func removeOthers(than manifest: IndexManifest, in folder: BytePath) {
    let kept = Set(
      manifest.postingFiles.map { IndexManifest.postingFileName($0.number) } + [IndexManifest.fileName, lockName])
    guard let stream = folder.withCString({ opendir($0) }) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = BytePath(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
      let isOurs = name.pathExtension == "segment" || name.bytes.starts(with: ".deadwax-".utf8)
      if isOurs, !kept.contains(name) { _ = folder.appending(name).withCString { unlink($0) } }
    }
  }
}

/// The lock of the one process that updates an index; released when it ends, however it ends.
private final class UpdateLock {
  /// How often it is tried to get the lock, 50 ms apart: small updates of others are waited for.
  private static let attemptCount = 20

  private let descriptor: Int32

  /// Creates the folder, private as the library is. nil if another process has the lock.
  init?(at folder: BytePath, name: BytePath) throws(SoundIndexError) {
    guard folder.withCString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else { throw .system(folder, code: errno) }
    let path = folder.appending(name)
    descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw .system(path, code: errno) }
    for _ in 0..<Self.attemptCount {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      // The descriptor is closed by `deinit`.
      guard errno == EWOULDBLOCK || errno == EINTR else { throw .system(path, code: errno) }
      usleep(50_000)
    }
    return nil
  }

  deinit { close(descriptor) }
}
