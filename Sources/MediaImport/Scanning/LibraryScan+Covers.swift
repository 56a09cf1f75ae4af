internal import Base
internal import DecodingService
internal import Glibc
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

extension LibraryScan {
  /// So many pictures are read before they are stored.
  private static let coversOfPart = 64
  /// So many pictures are decoded at once: each may need some 200 MB.
  private static let mostThreads = 4

  /// Reads the pictures beside files that are new or have changed, and forgets those that are gone.
  ///
  /// A file that does not begin like a picture, or cannot be decoded, is not a cover. Then the next name counts.
  func readCovers(of visit: RootVisit) throws(ScanError) {
    guard options.onlyFiles == nil, !options.isDryRun else { return }
    let known = try storing { () throws(StoreError) in
      try store.scans.folderPictures(inRoot: visit.root.id, below: visit.scope)
    }
    guard !known.isEmpty || !visit.walk.pictures.isEmpty else { return }
    let versions = Dictionary(known.map { ($0.path, $0.version) }, uniquingKeysWith: { first, _ in first })
    let isForced = options.isDeep || options.verifies
    let changed = visit.walk.pictures.filter { isForced || versions[$0.path] != FolderPicture.Version($0.status) }
    let found = Set(visit.walk.pictures.map(\.path))
    let gone = known.filter { !found.contains($0.path) && visit.wasLookedFor($0.path) }
    // A disk that is not mounted has lost nothing.
    var forgotten = visit.isEmpty || visit.isOnAnotherVolume ? [] : gone.map(\.id)
    let inspector = CoverInspector()
    for start in stride(from: 0, to: changed.count, by: Self.coversOfPart) where stop.number == nil {
      let part = Array(changed[start..<min(start + Self.coversOfPart, changed.count)])
      let pictures = read(part, of: visit, inspector)
      try storing { () throws(StoreError) in
        try store.scans.apply(pictures, forgetting: forgotten, inRoot: visit.root.id)
      }
      forgotten = []
    }
    if !forgotten.isEmpty {
      try storing { () throws(StoreError) in
        try store.scans.apply([], forgetting: forgotten, inRoot: visit.root.id)
      }
    }
  }

  /// The pictures that could be read, in order; what is wrong with others is in the report.
  private func read(
    _ files: [DirectoryWalker.File], of visit: RootVisit, _ inspector: CoverInspector
  ) -> [FolderPicture] {
    let results = WorkerThreads.results(files.count, limit: Self.mostThreads) { index in
      inspector.inspect(files[index].path, in: visit.place.folder)
    }
    var pictures: [FolderPicture] = []
    for (file, result) in zip(files, results) {
      let path = visit.root.path.appending(file.path)
      switch result {
      case .success(let picture):
        pictures.append(picture)
        if case .unusable(let reason) = picture.contents {
          report.warnings.append(.init(path: path, reason: .noPicture(reason)))
        } else {
          log.decided(path, .find) { "is a cover next to files" }
        }
      // It lies behind a link, and links are not followed.
      case .failure(let error) where [ELOOP, ENOTDIR].contains(error.code): continue
      case .failure(let error): report.warnings.append(.init(path: path, reason: .unreadable(error)))
      }
    }
    return pictures
  }
}

/// Reads pictures beside files, and has confined workers decode them; several threads may use it.
private final class CoverInspector: Sendable {
  private let workers = PictureWorkers()

  /// - Parameter path: below the folder.
  func inspect(_ path: BytePath, in folder: borrowing FolderDescriptor) -> Result<FolderPicture, SystemError> {
    do throws(SystemError) {
      let (descriptor, status) = try folder.openRegularFile(throughNoLink: path)
      defer { close(descriptor) }
      return .success(
        FolderPicture(
          path: path, version: FolderPicture.Version(status), contents: try contents(of: descriptor, status.byteCount)))
    } catch {
      return .failure(error)
    }
  }

  private func contents(of descriptor: Int32, _ byteCount: Int64) throws(SystemError) -> FolderPicture.Contents {
    guard byteCount > 0 else { return .unusable(reason: "an empty file") }
    guard byteCount <= Int64(CoverFile.largestByteCount) else {
      return .unusable(reason: "\(byteCount) bytes, more than \(CoverFile.largestByteCount)")
    }
    let bytes = try DescriptorBytes.bytes(from: descriptor, count: Int(byteCount))
    guard let type = PictureMediaType.name(ofPictureThatBegins: bytes), PictureMediaType.isShown(type) else {
      return .unusable(reason: "not a picture, judging by its first bytes")
    }
    if case .unreadable(let reason) = try workers.reduced(bytes, side: Self.side) { return .unusable(reason: reason) }
    return .picture(ContentHash(of: bytes), mimeType: type)
  }

  /// The smallest size that is ever asked for, in pixels.
  private static let side = 64
}
