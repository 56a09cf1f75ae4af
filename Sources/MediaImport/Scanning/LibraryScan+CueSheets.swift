internal import Base
internal import Glibc
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

extension LibraryScan {
  /// Reads the CUE sheets of the folders in which a sheet or a file changed, and gives the files there the parts that
  /// they describe.
  ///
  /// A sheet is read in this process: it is text, and its parser is ours.
  func readCueSheets(of visit: RootVisit, after plan: ScanPlan) throws(ScanError) {
    guard options.onlyFiles == nil, !options.isDryRun else { return }
    let known = try storing { () throws(StoreError) in
      try store.scans.cueSheets(inRoot: visit.root.id, below: visit.scope)
    }
    guard !known.isEmpty || !visit.walk.sheets.isEmpty else { return }
    var folders = plan.changedFolders(ofRoot: visit.root.id)
    let stamps = Dictionary(known.map { ($0.path, $0.stamp) }, uniquingKeysWith: { first, _ in first })
    for sheet in visit.walk.sheets where options.isDeep || stamps[sheet.path] != sheet.status.stamp {
      folders.insert(sheet.path.parent)
    }
    let found = Set(visit.walk.sheets.map(\.path))
    for sheet in known where !found.contains(sheet.path) && visit.wasLookedFor(sheet.path) {
      folders.insert(sheet.path.parent)
    }
    let sheets = Dictionary(grouping: visit.walk.sheets) { $0.path.parent }
    let former = Dictionary(grouping: known) { $0.path.parent }
    for folder in folders.sorted() where sheets[folder] != nil || former[folder] != nil {
      // A folder that was not read to its end keeps what is known of it.
      guard visit.wasLookedFor(folder) else { continue }
      var formerIDs = (former[folder] ?? []).map(\.id)
      for group in Self.groups(of: sheets[folder] ?? []) {
        let read = group.compactMap {
          self.read($0, in: visit.place.folder, of: visit.root.path, followsLinks: options.followsLinks)
        }
        try apply(CueSheetFolder(rootID: visit.root.id, sheets: read, formerIDs: formerIDs), of: visit.root.path)
        formerIDs = []
      }
    }
  }

  /// The sheets in order, in groups of a few megabytes: only one of them is in memory. There is at least one group.
  private static func groups(of sheets: [DirectoryWalker.File]) -> [[DirectoryWalker.File]] {
    var groups: [[DirectoryWalker.File]] = [[]]
    var byteCount = 0
    for sheet in sheets {
      let own = min(Int(clamping: sheet.status.byteCount), CueSheet.maximumByteCount)
      if byteCount > 0, byteCount + own > 4 * CueSheet.maximumByteCount {
        groups.append([])
        byteCount = 0
      }
      groups[groups.count - 1].append(sheet)
      byteCount += own
    }
    return groups
  }

  /// Reads the sheets beside files that were read without a scan.
  ///
  /// - Parameter root: of the file system.
  func readCueSheets(beside files: [DirectoryWalker.File], root: Root) throws(ScanError) {
    func open() throws(ScanError) -> FolderDescriptor {
      do throws(SystemError) { return try FolderDescriptor(opening: root.path) } catch {
        throw .notAFolder(root.path, error)
      }
    }
    let walker = DirectoryWalker(root: try open(), rules: IgnoreRules(), followsLinks: true)
    let found = walker.look(for: files.map(\.path)).sheets
    let folder = try open()
    for (_, sheets) in Dictionary(grouping: found, by: \.path.parent).sorted(by: { $0.key < $1.key }) {
      for group in Self.groups(of: sheets) {
        var read: [CueSheetFolder.Sheet] = []
        for sheet in group {
          if let sheet = self.read(sheet, in: folder, of: root.path, followsLinks: true) { read.append(sheet) }
        }
        try apply(CueSheetFolder(rootID: root.id, sheets: read, formerIDs: []), of: root.path)
      }
    }
  }

  private func apply(_ folder: CueSheetFolder, of root: BytePath) throws(ScanError) {
    let applied = try storing { () throws(StoreError) in try store.scans.apply(folder) }
    report.warnings += applied.unmatched.map { .init(path: root.appending($0.sheet), reason: .oddSheet($0.fault)) }
    for result in applied.described {
      log.decided(root.appending(result.sheet), .find) {
        (["describes \(result.partCount) parts of \(result.file.displayString)"] + result.notes).joined(separator: ", ")
      }
    }
  }

  /// nil, with a warning in the report, if it cannot be read. Lines that cannot be read as they stand are warnings, too.
  private func read(
    _ sheet: DirectoryWalker.File, in folder: borrowing FolderDescriptor, of root: BytePath, followsLinks: Bool
  ) -> CueSheetFolder.Sheet? {
    do throws(SystemError) {
      let file = try folder.openRegularFile(sheet.path, followsLinks: followsLinks)
      defer { close(file.descriptor) }
      let bytes = try DescriptorBytes.bytes(from: file.descriptor, count: CueSheet.maximumByteCount)
      let contents = CueSheet(bytes: bytes)
      if let encoding = contents.guessedEncoding {
        log.decided(root.appending(sheet.path), .find) { "is read as text in \(encoding.rawValue)" }
      }
      report.warnings += contents.faults.map { .init(path: root.appending(sheet.path), reason: .oddSheet($0)) }
      return CueSheetFolder.Sheet(path: sheet.path, status: file.status, contents: contents)
    } catch {
      report.warnings.append(.init(path: root.appending(sheet.path), reason: .unreadable(error)))
      return nil
    }
  }
}

extension ScanPlan {
  /// The folders of a root in which files are new, changed, moved or back, and the folders above these.
  fileprivate func changedFolders(ofRoot rootID: Int64) -> Set<BytePath> {
    var paths = candidates.filter { $0.rootID == rootID }.map(\.path)
    paths += moves.filter { $0.rootID == rootID }.map(\.path)
    paths += restated.filter { $0.known.state == .missing }.map(\.known.path)
    // A sheet may also name files in folders beside it.
    return Set(paths.flatMap { [$0.parent, $0.parent.parent] })
  }
}
