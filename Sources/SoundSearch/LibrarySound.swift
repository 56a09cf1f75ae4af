internal import Base
internal import LibraryTracks
internal import MediaModel
package import MediaStore
package import SoundIndex

/// The sound index of a library: opened for each search, and brought up to date first.
///
/// Scans and merges do not write to it. A search compares the state of the library with the one that the index was made
/// of, which takes no time if nothing was written since; otherwise it adds what is new.
package struct LibrarySound {
  private let store: MediaStore
  private let onProgress: (Int, Int) throws -> Void
  private let note: (String) -> Void

  /// - Parameters:
  ///   - onProgress: Is given the numbers of recordings that are added and to be added.
  ///   - note: Is given sentences about an index that could not be used or brought up to date.
  package init(
    of store: MediaStore, onProgress: @escaping (Int, Int) throws -> Void = { _, _ in },
    note: @escaping (String) -> Void = { _ in }
  ) {
    self.store = store
    self.onProgress = onProgress
    self.note = note
  }

  /// Calls `body` with the index; once more with a new one if the first turns out to be damaged.
  package func withIndex<Value>(_ body: (SoundIndex) throws -> Value) throws -> Value {
    do {
      return try body(try upToDate())
    } catch let error as SoundIndexError {
      guard case .damaged = error else { throw error }
      note("\(error); the sound index is made again")
      try SoundIndex.discard(at: folder)
      return try body(try upToDate())
    }
  }

  private var folder: BytePath { SoundIndex.folder(ofLibraryAt: store.path) }

  private func upToDate() throws -> SoundIndex {
    let version = ProductRecipe.current(.landmarks).version
    var present: SoundIndex?
    do throws(SoundIndexError) { present = try SoundIndex.open(at: folder) } catch {
      note("\(error); the sound index is made again")
    }
    if let present, try present.isCurrent(store.stateMark(), recipeVersion: version) { return present }
    let stored = try store.products.landmarks()
    let listing = LibraryListing(
      mark: stored.mark, recipeVersion: version,
      entries: stored.rows.map {
        LibraryListing.Entry(hash: $0.hash, checksum: $0.checksum, productID: $0.productID)
      })
    do {
      let report = try SoundIndex.update(at: folder, to: listing, load: load, onProgress: onProgress)
      if report.isBusy { note("another process is adding to the sound index; recordings not added yet are not found") }
    } catch let error as SoundIndexError {
      if case .damaged = error { throw error }
      // What is there already can be searched.
      guard let present, present.recordingCount > 0 else { throw error }
      note("the sound index could not be brought up to date: \(error)")
      return present
    }
    return try SoundIndex.open(at: folder)
  }

  private func load(_ entries: [LibraryListing.Entry]) throws -> [NewRecording] {
    let bytes = try store.products.bytes(of: entries.map(\.productID))
    return entries.compactMap { entry in
      bytes[entry.productID].map { NewRecording(hash: entry.hash, landmarkBytes: $0, checksum: entry.checksum) }
    }
  }
}
