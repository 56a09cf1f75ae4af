internal import Base
internal import DecodingService
internal import Glibc
internal import LibraryQueries
internal import LibraryTracks
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// Files that are named to a command without being in the library are analysed on the spot, and nothing is stored.
extension LibraryOptions {
  /// Calls `body` with the library; if all words are files outside it, with a temporary one that holds only these.
  ///
  /// For such files there need not be a library, unless one was named.
  /// - Parameters:
  ///   - words: Names of tracks: ids, paths, or the words of a query.
  ///   - kinds: The products that `body` needs of a file.
  /// - Throws: ``TrackError/notInLibrary(_:)`` if only some of the files are in the library.
  func reading<Value>(
    orAnalysing words: [BytePath], for kinds: Set<ProductKind> = Set(ProductKind.allCases), _ output: OutputOptions,
    _ body: (MediaStore) throws -> Value
  ) throws -> Value {
    let words = words.map { MediaStore.looksLikeFile($0) ? $0 : PartAddress($0)?.track ?? $0 }
    let files = words.allSatisfy { MediaStore.looksLikeFile($0) } ? words : []
    if let store = try openUnlessMissing(allowed: !files.isEmpty) {
      defer { try? store.close() }
      let ids = try store.files.ids(at: files)
      guard let outside = zip(files, ids).first(where: { $1 == nil })?.0 else { return try body(store) }
      guard ids.allSatisfy({ $0 == nil }) else { throw TrackError.notInLibrary(outside) }
    }
    let store = try MediaStore.temporary()
    defer { try? store.close() }
    try analyse(files, for: kinds, into: store, output)
    if let file = files.first, try store.files.ids(at: files).allSatisfy({ $0 == nil }) {
      throw TrackError.noRecording(file, .unsupported, reason: "its name is not that of an audio file")
    }
    return try body(store)
  }

  /// nil if there is no library, which is an error if one was named.
  private func openUnlessMissing(allowed: Bool) throws -> MediaStore? {
    do {
      return try open(.readOnly)
    } catch StoreError.missingLibrary where allowed && library == nil {
      return nil
    }
  }

  private func analyse(
    _ files: [BytePath], for kinds: Set<ProductKind>, into store: MediaStore, _ output: OutputOptions
  ) throws {
    let processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    var options = ScanOptions(workers: WorkerPool.Configuration(workerCount: min(files.count, processorCount)))
    options.jobs.kinds = kinds
    var line = ProgressLine()
    let isShown = output.showsProgress
    defer { if isShown { line.clear() } }
    try LibraryScan(store: store, options: options, log: output.log) { if isShown { line.show($0) } }
      .read(files.compactMap { try? InputFile.resolved($0) })
  }
}
