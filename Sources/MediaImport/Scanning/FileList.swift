package import Base

/// Files that somebody else has found, as `find -print0` writes them: each path ended by a NUL.
package enum FileList {
  package struct Failure: Error, CustomStringConvertible {
    /// From 1.
    package let number: Int
    package let path: BytePath
    package let reason: String

    package var description: String { "path \(number): \(path.displayString): \(reason)" }
  }

  /// The paths of a list relative to a folder, without the folder itself, which `find` prints, too.
  ///
  /// - Parameters:
  ///   - bytes: Absolute paths and paths relative to the folder; `.` in them and double slashes are removed.
  ///   - folders: The absolute paths of the folder, for example with and without links.
  /// - Throws: For a path that leads, or may lead, out of the folder.
  package static func paths(_ bytes: [UInt8], below folders: [BytePath]) throws(Failure) -> [BytePath] {
    var paths: [BytePath] = []
    for (index, entry) in bytes.split(separator: 0, omittingEmptySubsequences: true).enumerated() {
      let path = try path(entry, number: index + 1, below: folders)
      if !path.bytes.isEmpty { paths.append(path) }
    }
    return paths
  }

  /// The paths of a list in which a text follows each path: why it must not be read.
  ///
  /// - Throws: As ``paths(_:below:)``, for the folder itself, and for a path without a text.
  package static func reasons(_ bytes: [UInt8], below folders: [BytePath]) throws(Failure) -> [BytePath: String] {
    var reasons: [BytePath: String] = [:]
    let entries = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
    for (number, start) in stride(from: 0, to: entries.count, by: 2).enumerated() {
      let path = try path(entries[start], number: number + 1, below: folders)
      guard !path.bytes.isEmpty else {
        let written = BytePath(entries[start])
        throw Failure(number: number + 1, path: written, reason: "the folder itself, not a file in it")
      }
      guard start + 1 < entries.count else { throw Failure(number: number + 1, path: path, reason: "without a reason") }
      reasons[path] = String(decoding: entries[start + 1], as: UTF8.self)
    }
    return reasons
  }

  /// A path relative to the folders, empty for one of them.
  private static func path(
    _ entry: ArraySlice<UInt8>, number: Int, below folders: [BytePath]
  ) throws(Failure) -> BytePath {
    let path = BytePath(entry)
    let isAbsolute = entry.first == UInt8(ascii: "/")
    let components = entry.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
    guard !components.contains(Array("..".utf8)[...]) else {
      throw Failure(number: number, path: path, reason: "leads through a folder above (..)")
    }
    var relative = BytePath(components.joined(separator: [UInt8(ascii: "/")]))
    if isAbsolute {
      let absolute = BytePath([UInt8(ascii: "/")] + relative.bytes)
      guard let folder = folders.first(where: { absolute.isBelowOrEqual(to: $0) }) else {
        throw Failure(number: number, path: path, reason: "not below \(folders.first?.displayString ?? "it")")
      }
      relative = absolute.relative(to: folder)
    }
    return relative
  }
}
