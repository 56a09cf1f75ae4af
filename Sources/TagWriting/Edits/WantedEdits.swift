package import LibraryScanning
package import LibraryTracks
package import MediaExchange
internal import MediaModel
package import MediaStore
package import QueryLanguage
package import TagEditing
internal import UserData

/// What is to be written into files: the one place where it is put together.
package struct WantedEdits: Sendable {
  package enum Cover: Sendable {
    /// The picture that players show for the file, if it is one in files or tags.
    case shown
    case picture(TagEdit.Cover)
    case none
  }

  /// Whether corrections are written, but for those that contradict what the file says by now.
  package var writesCorrections: Bool
  /// Whether the measured loudness is written as ReplayGain 2.0, or as R128 in Opus.
  package var writesReplayGain: Bool
  /// nil if covers stay as they are.
  package var cover: Cover?

  package init(writesCorrections: Bool = false, writesReplayGain: Bool = false, cover: Cover? = nil) {
    (self.writesCorrections, self.writesReplayGain, self.cover) = (writesCorrections, writesReplayGain, cover)
  }

  /// An edit for each file, without changes if nothing is wanted of it.
  ///
  /// - Parameter query: which found the files.
  package func edits(for files: [WritableFile], of query: Query, in store: MediaStore) throws -> [TagEdit] {
    let loudness = writesReplayGain ? try loudness(of: query, in: store) : [:]
    // Files of an album have one picture, whose bytes are in memory once.
    var covers: [ContentHash: TagEdit.Cover] = [:]
    return try files.map { file in
      var changes = writesCorrections ? try corrections(of: file, in: store) : []
      if let properties = loudness[file.known.id] { changes += properties }
      if let cover = try coverChange(of: file, in: store, &covers) { changes.append(cover) }
      return TagEdit(changes)
    }
  }

  // MARK: Corrections

  private func corrections(of file: WritableFile, in store: MediaStore) throws -> [TagEdit.Change] {
    let (own, wanted) = try store.corrections.tags(ofFile: file.known.id)
    guard own != wanted else { return [] }
    func values(_ tags: Tags) -> [String: [String]] {
      Dictionary(tags.properties.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
    }
    let (before, after) = (values(own), values(wanted))
    return Set(before.keys).union(after.keys).sorted().filter { before[$0] != after[$0] }.map { name in
      after[name].map { .set(name, $0) } ?? .remove(name)
    }
  }

  // MARK: Loudness

  private func loudness(of query: Query, in store: MediaStore) throws -> [Int64: [TagEdit.Change]] {
    try store.files.loudness(of: query).reduce(into: [:]) { changes, file in
      guard let tags = ReplayGainTags(file) else { return }
      let properties = tags.properties(isOpus: file.codec == .opus)
      // What other programs wrote besides would contradict it.
      let others = ReplayGainTags.names.filter { name in !properties.contains { $0.name == name } }
      changes[file.fileID] = properties.map { .set($0.name, $0.values) } + others.map { .remove($0) }
    }
  }

  // MARK: Covers

  private func coverChange(
    of file: WritableFile, in store: MediaStore, _ covers: inout [ContentHash: TagEdit.Cover]
  ) throws -> TagEdit.Change? {
    switch cover {
    case nil: return nil
    case .some(.none): return .removeFrontCovers
    case .picture(let cover): return .setFrontCover(cover)
    case .shown:
      guard let picture = try store.pictures.cover(ofFile: file.known.id) else { return nil }
      if let known = covers[picture.hash] { return .setFrontCover(known) }
      guard let bytes = try store.pictures.bytes(of: picture) else { return nil }
      let type = PictureMediaType.name(ofPictureThatBegins: bytes) ?? picture.mimeType
      let cover = TagEdit.Cover(bytes: bytes, mimeType: type)
      covers[picture.hash] = cover
      return .setFrontCover(cover)
    }
  }
}

extension ReplayGainTags {
  /// nil without a loudness.
  package init?(_ file: FileLoudness) {
    guard let loudness = file.loudnessInLUFS else { return nil }
    self.init(
      track: Level(loudnessInLUFS: loudness, truePeakInDBTP: file.truePeakInDBTP),
      album: file.album.flatMap { album in
        album.loudnessInLUFS.map { Level(loudnessInLUFS: $0, truePeakInDBTP: album.truePeakInDBTP) }
      })
  }
}
