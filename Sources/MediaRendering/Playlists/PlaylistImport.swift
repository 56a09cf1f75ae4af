package import Base
internal import LibraryTracks
package import MediaExchange
package import MediaStore

/// The entries of a playlist with the tracks of the library that they name.
package struct PlaylistImport: Sendable {
  private var links: [TrackLink?]
  private let entries: [Playlist.Entry]

  /// - Parameter folder: that of the playlist, from which relative paths start; nil if it is not known, so that only
  ///   the ends of such paths say something.
  package init(_ playlist: Playlist, in folder: BytePath?, _ store: MediaStore) throws(StoreError) {
    var entries = playlist.entries
    var links = try store.tracks.links(
      of: entries.map { entry in
        TrackDescription(
          paths: entry.allPaths.flatMap { path in
            [path, PlaylistPath.recoded(path)].compactMap(\.self).flatMap { Self.paths($0, in: folder) }
          }, hash: entry.hash, title: entry.title, artist: entry.artist, durationInSeconds: entry.durationInSeconds,
          bareNames: entry.allPaths.filter { !$0.bytes.contains { "/\\".utf8.contains($0) } }.map(\.displayString))
      })
    // Comments, but for those that are the name of a file.
    let names = links.indices.filter { index in
      guard entries[index].mayBeComment else { return true }
      return links[index].map { $0.rule == .path || $0.rule == .name } ?? false
    }
    if names.count < links.count {
      entries = names.map { entries[$0] }
      links = names.map { links[$0] }
    }
    (self.entries, self.links) = (entries, links)
  }

  /// The path, and for playlists from Windows also the path with slashes.
  private static func paths(_ path: BytePath, in folder: BytePath?) -> [BytePath] {
    func absolute(_ path: BytePath) -> BytePath {
      path.bytes.first == UInt8(ascii: "/") ? path : folder?.appending(path) ?? path
    }
    guard path.bytes.contains(UInt8(ascii: "\\")) else { return [absolute(path)] }
    let slashed = path.bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    // Without the letter of a drive.
    let rest = slashed.count > 2 && slashed[1] == UInt8(ascii: ":") ? Array(slashed.dropFirst(2)) : slashed
    return [absolute(path), absolute(BytePath(rest))]
  }

  /// Of the entries that were found, in their order.
  package var recordingIDs: [Int64] { links.compactMap { $0?.recordingID } }

  /// Found or not, without comments.
  package var entryCount: Int { entries.count }

  package var notFound: [Playlist.Entry] { zip(entries, links).filter { $0.1 == nil }.map(\.0) }

  private func count(_ rule: TrackLink.Rule) -> Int { links.count { $0?.rule == rule } }

  /// Such as `7 of 9 entries found: 5 by path, 2 by tags`.
  package var summary: String {
    let rules = TrackLink.Rule.allCases.filter { count($0) > 0 }.map { "\(count($0)) by \(Self.words(for: $0))" }
    return "\(recordingIDs.count) of \(entries.count) entries found"
      + (rules.isEmpty ? "" : ": " + rules.joined(separator: ", "))
  }

  private static func words(for rule: TrackLink.Rule) -> String {
    switch rule {
    case .path, .hash, .tags: rule.rawValue
    case .pathEnd: "the end of the path"
    case .name: "file name"
    }
  }

  /// What was found, and what was not, as `deadwax list import --json` says it.
  ///
  /// - Parameter name: of the list.
  package func document(_ name: String) -> JSONValue {
    let counts = TrackLink.Rule.allCases.map { JSONValue.Member("by_\($0.rawValue)", .integer(count($0))) }
    let missing = notFound.map {
      JSONValue.object([.init("name", .string($0.name))] + ($0.path.map { JSONValue.path($0) } ?? []))
    }
    return .object(
      [.init("schema", .integer(1)), .init("name", .string(name)), .init("entries", .integer(entries.count))] + counts
        + [.init("not_found", .array(missing))])
  }
}
