package import Base

extension DirectoryWalker {
  /// Looks for certain files, and for the CUE sheets, covers and lyrics beside them; enters no other folders.
  ///
  /// Everything else is as in ``walk(from:goesOn:)``: links, hidden names, kernel file systems, ignore files.
  ///
  /// - Parameters:
  ///   - paths: Relative to the root.
  ///   - goesOn: Called after each folder, and within large ones, with the number of files found so far; false ends
  ///     the search.
  package consuming func look(for paths: [BytePath], goesOn: (Int) -> Bool = { _ in true }) -> Result {
    let wanted = Set(paths)
    let folders = Dictionary(grouping: wanted, by: \.parent)
    result.list = Result.List(files: wanted, folders: Set(folders.keys))
    for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
      look(for: files, in: folder, goesOn)
      if result.wasStopped || !goesOn(result.files.count) {
        result.wasStopped = true
        break
      }
    }
    return result
  }

  private mutating func look(for files: [BytePath], in path: BytePath, _ goesOn: (Int) -> Bool) {
    if !followsLinks, root.leadsThroughLink(path) {
      result.skippedLinkCount += 1
      return
    }
    do throws(SystemError) {
      let folder = Folder(path: path, parentDevice: nil, rules: try rules(above: path))
      // Hidden names are skipped, so that they are there is not known.
      var absent = Set(files.filter { $0.lastComponent.bytes.first != UInt8(ascii: ".") })
      _ = enter(folder, isWanted: { absent.remove($0) != nil || Self.isBesideSounds($0) }, goesOn)
      if !result.wasStopped, result.incompleteFolders.last?.path != path { result.list?.absent += absent.sorted() }
    } catch {
      result.incompleteFolders.append((path, error))
    }
  }
}
