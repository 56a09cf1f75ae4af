internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaExchange
internal import MediaStore
internal import UserData

extension ListsCommand {
  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Import a playlist as a list of tracks.",
      discussion: """
        Each entry is matched by its path, else by the hash of its recording (in playlists written by Deadwax), else \
        by the end of its path, else by artist and title, else by a file name that only one recording has. A path is \
        tried as written, then without percent-encoding, quotation marks or surrounding spaces. Entries that are not \
        found are reported. Formats: m3u8, m3u, xspf, jspf, pls, detected from the content of the file.
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions

    @Argument(help: "The playlist.", completion: .file(extensions: PlaylistFormat.allCases.map(\.rawValue)))
    var file: String

    @Option(help: "The name of the list (default: the playlist's title, else the file's name).")
    var name: String?

    @Flag(help: "Replace a list with that name.")
    var replace = false

    @Flag(help: "Exit with status 3 if an entry was not found.")
    var strict = false

    func run() throws {
      let path = BytePath(argument: file)
      let bytes = try InputFile.bytes(of: path)
      guard let format = PlaylistFormat.detect(bytes, extension: path.pathExtension) else {
        throw ValidationError(
          "\(TerminalText.escaped(path.displayString)): the extension must be m3u8, m3u, xspf, jspf or pls")
      }
      let playlist: Playlist
      do throws(ExchangeError) {
        playlist = try format.playlist(from: bytes)
      } catch {
        throw InputFile.Failure(path: path, reason: "\(error)")
      }
      let titles = [playlist.title, path.stem.displayString].compactMap { $0 }
      let name = name ?? titles.lazy.compactMap(SavedList.name(after:)).first ?? "Imported"
      let found = try output.showing("looking for \(NumberText.count(playlist.entries.count, "track"))") {
        try library.writing { store in
          let found = try PlaylistImport(playlist, at: path, in: store)
          // An empty list must not replace an existing one.
          guard !found.recordingIDs.isEmpty else {
            let rest = playlist.omittedCount > 0 ? "; \(Self.omitted(playlist.omittedCount))" : ""
            throw InputFile.Failure(path: path, reason: "\(found.summary)\(rest); no list was saved")
          }
          try store.lists.save(name, recordingIDs: found.recordingIDs, replaces: replace)
          return found
        }
      }
      if document.isWanted {
        try document.write(found.document(name))
      } else {
        try output.tell("\(name): \(found.summary)")
        if playlist.omittedCount > 0 { StandardError.line(Self.omitted(playlist.omittedCount)) }
        for entry in found.notFound {
          let place = entry.path.map { " (\($0.displayString))" } ?? ""
          StandardError.line("not found: " + TerminalText.escaped(entry.name + place))
        }
      }
      if strict, !found.notFound.isEmpty { throw ExitCode(ExitStatus.problemsUnderStrict) }
    }

    private static func omitted(_ count: Int) -> String {
      "not read: \(count) entries, which are too many or have impossible numbers"
    }
  }
}

/// The entries of a playlist with the tracks of the library that they name.
struct PlaylistImport {
  private var links: [TrackLink?]
  private let entries: [Playlist.Entry]

  /// - Parameter path: of the playlist; relative paths start from its folder.
  init(_ playlist: Playlist, at path: BytePath, in store: MediaStore) throws {
    let folder = try OutputFolder.of(path)
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

  private func count(_ rule: TrackLink.Rule) -> Int { links.count { $0?.rule == rule } }

  /// Such as `7 of 9 entries found: 5 by path, 2 by tags`.
  var summary: String {
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

  func document(_ name: String) -> JSONValue {
    let counts = TrackLink.Rule.allCases.map { JSONValue.Member("by_\($0.rawValue)", .integer(count($0))) }
    let missing = notFound.map {
      JSONValue.object([.init("name", .string($0.name))] + ($0.path.map { JSONValue.path($0) } ?? []))
    }
    return .object(
      [.init("schema", .integer(1)), .init("name", .string(name)), .init("entries", .integer(entries.count))] + counts
        + [.init("not_found", .array(missing))])
  }
}
