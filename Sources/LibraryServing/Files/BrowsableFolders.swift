package import Base
internal import Glibc
package import HTTPServing
internal import MediaImport

/// The folders whose subfolders the owner can see and choose from the page (`serve --browse`); no other folder is named to anybody.
///
/// Only names of folders are given away. Hidden ones are left out, and so is whatever a link leads to: each folder of a
/// path is opened in the one before, through no link, so that nobody who may write there can lead out of them.
package struct BrowsableFolders: Sendable {
  /// The subfolders of one folder.
  package struct Listing: Sendable {
    /// Absolute, without links.
    package let path: BytePath
    /// The folder above, if that may be shown, too.
    package let parent: BytePath?
    /// In the order of their letters.
    package var names: [BytePath] = []
    /// Whether there are more.
    package var isCut = false
  }

  /// How many subfolders are named at once.
  package static let largestFolderCount = 1_000
  /// How many names of a folder are looked at; a folder of a mail server has more.
  static let largestEntryCount = 100_000

  private let configured: [BytePath]

  /// - Parameter folders: Absolute paths; those that are not there are left out while they are not.
  package init(_ folders: [BytePath]) { configured = folders }

  /// The folders themselves that are there, without links in their paths, each once.
  package func tops() -> [BytePath] {
    var found: [BytePath] = []
    for folder in configured {
      guard let path = try? ScanFolders.resolved(folder), !found.contains(path) else { continue }
      found.append(path)
    }
    return found
  }

  /// The subfolders of a folder.
  ///
  /// - Parameters:
  ///   - start: Only those whose names begin with this, whatever the case.
  ///   - limit: How many at most.
  /// - Throws: ``HTTPProblem`` of status 404 if there is no such folder or it must not be shown, 403 if it cannot be read.
  package func listing(
    of path: BytePath, startingWith start: String = "", limit: Int = largestFolderCount
  ) throws(HTTPProblem) -> Listing {
    let tops = tops()
    let opened = try Self.opened(path, below: tops)
    let place = opened.path
    let above = place.folder
    var listing = Listing(
      path: place, parent: place != above && tops.contains(where: { above.isBelowOrEqual(to: $0) }) ? above : nil)
    let (names, isWhole) = try Self.subfolders(of: opened.folder)
    let key = start.lowercased()
    let wanted = names.map { (text: $0.displayString.lowercased(), name: $0) }.filter { $0.text.hasPrefix(key) }
      .sorted { ($0.text, $0.name) < ($1.text, $1.name) }
    listing.names = wanted.prefix(limit).map(\.name)
    listing.isCut = !isWhole || wanted.count > limit
    return listing
  }

  /// The path of a folder that may be shown, as its folders list its names.
  ///
  /// - Throws: the same.
  package func place(of path: BytePath) throws(HTTPProblem) -> BytePath {
    let tops = tops()
    let place = try Self.opened(path, below: tops).path
    // On a disk that ignores case a name has other spellings. Whatever happened meanwhile, it is still in the same folders.
    guard let resolved = try? ScanFolders.resolved(place), tops.contains(where: { resolved.isBelowOrEqual(to: $0) })
    else { throw Self.missing }
    return resolved
  }

  private static let missing = HTTPProblem(
    404, "there is no such folder among those that `serve --browse` lets the page show")

  /// A folder that may be shown.
  private struct Opened: ~Copyable {
    let folder: FolderDescriptor
    /// Absolute, without links.
    let path: BytePath
  }

  private static func opened(_ path: BytePath, below tops: [BytePath]) throws(HTTPProblem) -> Opened {
    let asked = path.withoutTrailingSlashes
    let top = tops.filter { asked.isBelowOrEqual(to: $0) }.max { $0.bytes.count < $1.bytes.count }
    guard let top else { throw missing }
    let names = asked.relative(to: top).bytes.split(separator: UInt8(ascii: "/")).map { BytePath($0) }
    // A dot begins what is hidden, and the folder above.
    guard names.allSatisfy({ $0.bytes.first != UInt8(ascii: ".") && !$0.bytes.contains(0) }) else { throw missing }
    let below = names.reduce(BytePath("")) { $0.appending($1) }
    do throws(SystemError) {
      let folder = try FolderDescriptor(throughNoLink: below, below: try FolderDescriptor(opening: top))
      guard FileSystemIdentity(of: folder)?.isKernelFileSystem != true else {
        throw SystemError(call: "open", code: ENOENT)
      }
      return Opened(folder: folder, path: top.appending(below))
    } catch {
      throw error.code == EACCES ? HTTPProblem(403, "the folder cannot be read: \(error)") : missing
    }
  }

  /// The names of the folders in a folder that are not hidden, and whether these are all.
  private static func subfolders(
    of folder: borrowing FolderDescriptor
  ) throws(HTTPProblem) -> (names: [BytePath], isWhole: Bool) {
    let descriptor = openat(folder.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, let stream = fdopendir(descriptor) else {
      let failure = SystemError(call: "opendir")
      if descriptor >= 0 { close(descriptor) }
      throw HTTPProblem(403, "the folder cannot be read: \(failure)")
    }
    defer { closedir(stream) }
    var names: [BytePath] = []
    for _ in 0..<largestEntryCount {
      errno = 0
      guard let entry = readdir(stream) else { return (names, errno == 0) }
      let name = UnsafeRawPointer(entry).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name) ?? 19)
        .assumingMemoryBound(to: CChar.self)
      guard name.pointee != CChar(bitPattern: UInt8(ascii: ".")) else { continue }
      switch Int(entry.pointee.d_type) {
      case Int(DT_DIR): break
      case Int(DT_UNKNOWN):
        var status = stat()
        guard fstatat(folder.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFDIR
        else { continue }
      default: continue
      }
      names.append(BytePath(UnsafeRawBufferPointer(start: name, count: strlen(name))))
    }
    return (names, readdir(stream) == nil)
  }
}
