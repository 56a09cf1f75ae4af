internal import Base
internal import LibraryQueries
internal import MediaExchange
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// The files that a query finds as a playlist, in its order; missing files are left out.
struct PlaylistExport: ExportContent {
  static let formats = PlaylistFormat.allCases.map(\.rawValue) + ["rekordbox"]

  let playlist: Playlist
  let inputs: [BytePath]
  private let rekordbox: RekordboxLibrary?
  private let format: PlaylistFormat
  private let missingCount: Int
  private let isQuiet: Bool

  init(_ query: Query, in store: MediaStore, _ choices: ExportChoices) throws {
    try self.init(query, fileIDs: nil, absentCount: 0, in: store, choices)
  }

  /// The files of a list that is not a query, in its order.
  init(_ list: SavedList, in store: MediaStore, _ choices: ExportChoices) throws {
    let fileIDs = try store.lists.fileIDs(of: list)
    try self.init(
      .everything, fileIDs: fileIDs, absentCount: list.entryCount - fileIDs.count, in: store, choices)
  }

  /// Given files, in that order.
  init(fileIDs: [Int64], in store: MediaStore, _ choices: ExportChoices) throws {
    try self.init(.everything, fileIDs: fileIDs, absentCount: 0, in: store, choices)
  }

  /// - Parameter absentCount: the number of entries that have no file in the library any more.
  private init(
    _ query: Query, fileIDs: [Int64]?, absentCount: Int, in store: MediaStore, _ choices: ExportChoices
  ) throws {
    format = PlaylistFormat(rawValue: choices.format) ?? .m3u8
    let isForRekordbox = choices.format == "rekordbox"
    let folder = choices.usesAbsolutePaths || isForRekordbox ? nil : try choices.file.map(OutputFolder.of)
    let fields = isForRekordbox ? PlaylistRow.rekordboxFields : PlaylistRow.fields
    var inputs: [BytePath] = []
    var entries: [Playlist.Entry] = []
    var tracks: [RekordboxLibrary.Track] = []
    var missingCount = absentCount
    try store.forEachListRow(of: query, fields: fields, fileIDs: fileIDs) { row in
      guard let row = PlaylistRow(row) else { return }
      guard !row.isMissing else {
        missingCount += 1
        return
      }
      inputs.append(row.path)
      if !isForRekordbox {
        entries.append(row.entry(relativeTo: folder))
      } else if let track = row.rekordbox {
        tracks.append(track)
      }
    }
    self.missingCount = missingCount
    isQuiet = choices.isQuiet
    self.inputs = inputs
    let title = choices.title ?? choices.file.map(\.stem.displayString)
    rekordbox = isForRekordbox ? RekordboxLibrary(name: title ?? "deadwax", tracks: tracks) : nil
    playlist = Playlist(title: title, entries: entries)
  }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws {
    try sink(rekordbox?.text ?? format.text(of: playlist))
    if missingCount > 0, !isQuiet { StandardError.line("\(NumberText.count(missingCount, "missing file")) left out") }
  }
}

/// A playlist of given files: one that is written to a file, or to standard output.
struct PlaylistFile {
  /// nil for standard output.
  private let path: BytePath?
  private let format: String

  /// - Parameters:
  ///   - name: As it was typed; `-` is standard output.
  ///   - format: nil for what the name says, else the usual one.
  /// - Throws: if the format is unknown.
  init(_ name: String, format: String? = nil) throws {
    path = name == "-" ? nil : BytePath(argument: name)
    self.format = try ExportChoices.format(format, ending: path?.pathExtension ?? "", of: PlaylistExport.formats)
  }

  /// Writes the files in that order.
  ///
  /// - Parameter inputs: Files that must not be replaced, beside those of the playlist.
  func write(fileIDs: [Int64], in store: MediaStore, protecting inputs: [BytePath], isQuiet: Bool) throws {
    let choices = ExportChoices(format: format, file: path, usesAbsolutePaths: path == nil, isQuiet: isQuiet)
    let export = try PlaylistExport(fileIDs: fileIDs, in: store, choices)
    guard let path else { return try export.write(from: store) { try StandardOutput.write($0) } }
    var text = ""
    try export.write(from: store) { text += $0 }
    try OutputFile(path).write(Array(text.utf8), protecting: inputs + export.inputs)
  }
}

extension PlaylistRow {
  /// ``fields``, and what else rekordbox reads.
  static let rekordboxFields: [QueryField] =
    fields + [
      QueryField("genre", .text), QueryField("composer", .text), QueryField("comment", .text),
      QueryField("year", .integer), QueryField("disc", .integer), QueryField("size", .size),
      QueryField("bitrate", .integer), QueryField("rate", .integer), QueryField("codec", .text),
      QueryField("added", .instant), QueryField("bpm", .tempo), QueryField("label", .tag),
      QueryField("key", .musicalKey), QueryField("rating", .tag),
    ]

  private func text(_ name: String) -> String? { value(name).map(\.plain).flatMap { $0.isEmpty ? nil : $0 } }

  /// nil for a file without a recording.
  var rekordbox: RekordboxLibrary.Track? {
    guard number("id") != nil else { return nil }
    let kinds = ["mp3": "MP3 File", "flac": "FLAC File", "aac": "M4A File", "alac": "M4A File"]
    let codec = text("codec") ?? ""
    let kind = kinds[codec] ?? (path.pathExtension.isEmpty ? nil : "\(path.pathExtension.uppercased()) File")
    let bpm: Double? = if case .real(let number) = value("bpm") { number } else { nil }
    // A rating of 0 to 100; tags often have stars.
    let rating = text("rating").flatMap(DecimalText.parse).map { $0 > 5 ? $0 / 20 : $0 }
    let stars = rating.flatMap { (0...5).contains($0) ? Int($0.rounded()) : nil }
    let attributes: [(String, String?)] = [
      ("Name", text("title") ?? path.stem.displayString), ("Artist", text("artist")), ("Composer", text("composer")),
      ("Album", text("album")), ("Genre", text("genre")), ("Kind", kind), ("Size", text("size")),
      ("TotalTime", seconds.map { String(Int64(max(0, min($0, 1e12)))) }), ("DiscNumber", text("disc")),
      ("TrackNumber", text("track")), ("Year", text("year")),
      ("AverageBpm", bpm.map { NumberText.decimal($0, 2) }),
      ("BitRate", number("bitrate").map { String($0 / 1000) }), ("SampleRate", text("rate")),
      ("DateAdded", text("added").map { String($0.prefix(10)) }), ("Comments", text("comment")),
      ("Tonality", text("key")), ("Label", text("label")), ("Rating", stars.map { String($0 * 51) }),
    ]
    return RekordboxLibrary.Track(
      path: path, attributes: attributes.compactMap { name, value in value.map { (name, $0) } })
  }
}
