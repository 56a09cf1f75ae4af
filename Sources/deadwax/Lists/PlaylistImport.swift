internal import MediaExport
internal import MediaModel
internal import MediaStore

/// The entries of a playlist and the tracks of the library that they mean.
struct PlaylistImport {
  private var links: [TrackLink?]
  private let entries: [Playlist.Entry]

  /// - Parameter path: of the playlist: relative paths start from its folder.
  init(_ playlist: Playlist, at path: BytePath, in store: MediaStore) throws {
    let folder = try OutputFolder.of(path)
    entries = playlist.entries
    links = try store.links(
      of: entries.map { entry in
        TrackDescription(
          paths: entry.path.map { path in
            [path, PlaylistPath.recoded(path)].compactMap(\.self).flatMap { Self.paths($0, in: folder) }
          } ?? [], hash: entry.hash, title: entry.title,
          artist: entry.artist, durationInSeconds: entry.durationInSeconds)
      })
  }

  /// The path, and for playlists from Windows the same with slashes.
  private static func paths(_ path: BytePath, in folder: BytePath) -> [BytePath] {
    func absolute(_ path: BytePath) -> BytePath {
      path.bytes.first == UInt8(ascii: "/") ? path : folder.appending(path)
    }
    guard path.bytes.contains(UInt8(ascii: "\\")) else { return [absolute(path)] }
    let slashed = path.bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    // Without the letter of a drive.
    let rest = slashed.count > 2 && slashed[1] == UInt8(ascii: ":") ? Array(slashed.dropFirst(2)) : slashed
    return [absolute(path), absolute(BytePath(rest))]
  }

  var recordingIDs: [Int64] { links.compactMap { $0?.recordingID } }

  var notFound: [Playlist.Entry] { zip(entries, links).filter { $0.1 == nil }.map(\.0) }

  private func count(_ isCounted: (TrackLink) -> Bool) -> Int { links.count { $0.map(isCounted) ?? false } }
  private var byPath: Int { count { if case .path = $0 { true } else { false } } }
  private var byHash: Int { count { if case .hash = $0 { true } else { false } } }
  private var byTags: Int { count { if case .tags = $0 { true } else { false } } }

  var summary: String {
    "\(recordingIDs.count) of \(entries.count) entries found: \(byPath) by path, \(byHash) by hash, \(byTags) by tags"
  }

  func document(_ name: String) -> JSONValue {
    .object([
      "schema": .integer(1), "name": .string(name), "entries": .integer(entries.count), "by_path": .integer(byPath),
      "by_hash": .integer(byHash), "by_tags": .integer(byTags),
      "not_found": .array(
        notFound.map { .object([.init("name", .string($0.name))] + ($0.path.map { JSONValue.path($0) } ?? [])) }),
    ])
  }
}
