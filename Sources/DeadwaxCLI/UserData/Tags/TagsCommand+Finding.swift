internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage
internal import UserData

// What to correct, and what is corrected.

extension TagsCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List corrections with the original tags of the files.",
      discussion: """
        Lists each correction with the tag in the file. STATE is `active`, or `conflict` if the tag has changed \
        since; --satisfied adds corrections that match the file by now. \(QueryHelp.short)

        Examples: deadwax tags list 'album:tides'
                  deadwax tags list is:conflict
        """, aliases: ["ls"])

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions
    @Flag(help: "Also list corrections that match the file by now.")
    var satisfied = false

    @OptionGroup var query: QueryArgument

    func run() throws {
      try library.reading { store in
        var found = try query.query(in: store)
        let corrected = QueryCondition.test(QueryField("is", .keyword(["corrected"])), .oneOf(["corrected"]))
        found.condition = found.condition.map { .all([corrected, $0]) } ?? corrected
        var files = try store.corrections.files(store.fileIDs(of: found))
        if !satisfied {
          for index in files.indices { files[index].fields.removeAll { $0.state == .satisfied } }
          files.removeAll { $0.fields.isEmpty }
        }
        guard !document.isWanted else {
          return try document.write(
            files.flatMap { file in
              file.fields.map { field in
                TrackDocument.correction(field).preceded(
                  by: [.init("id", .integer(file.recordingID))] + JSONValue.path(file.path))
              }
            }, under: "corrections")
        }
        var table = TextTable([
          .init(title: "FILE", overflow: .isCutAsPath), .init(title: "FIELD", canShrink: false),
          .init(title: "IN FILE"),
          .init(title: "IN LIBRARY"), .init(title: "STATE", canShrink: false),
        ])
        for file in files {
          for field in file.fields {
            try table.add([
              file.path.displayString, field.field.queryName, field.fileValues.joined(separator: "; "),
              field.values.joined(separator: "; "), field.state.rawValue,
            ])
          }
        }
        try table.finish()
        guard files.isEmpty else { return }
        output.tellNothing(
          query.words.isEmpty
            ? "no file differs from the library; `deadwax tags set` corrects tags"
            : "no matching file differs from the library")
      }
    }
  }

  struct Variants: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "variants", abstract: "Find different spellings of a value, with the command that fixes each.",
      discussion: """
        Finds values that differ only in case, accents, punctuation or an article, and rare ones that are one letter \
        away from one that is at least four times as common. Each is listed with its number of files and the command \
        that changes it to the most common spelling; --mend corrects all of them, as one change for `undo`. Albums \
        are compared only with those of the same artist.

        Examples: deadwax tags variants artist
                  deadwax tags variants genre --mend --dry-run
                  deadwax tags variants genre --json
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions

    @Option(help: ArgumentHelp("Show at most this many groups.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Correct the variants that are found.")
    var mend = false

    @Flag(
      name: [.customLong("dry-run"), .customShort("n")], help: "With --mend: only show what would change.")
    var isDryRun = false

    @Argument(help: "The field.", completion: Completions.fields)
    var field: String

    func validate() throws {
      if let limit { try ValidationError.require("limit", limit, in: 0...Int.max) }
      if isDryRun, !mend { throw ValidationError("--dry-run needs --mend") }
      if mend, document.isWanted { throw ValidationError("--json and --jsonl are for lists, not for --mend") }
    }

    func run() throws {
      if mend { return try correct() }
      try library.reading { store in
        let field = try store.corrections.field(named: field)
        let groups = try groups(of: field, in: store)
        guard !document.isWanted else {
          return try document.write(
            groups.map { group in
              .object([
                "value": .string(group.common.text), "files": .integer(group.common.fileCount),
                "artist": .string(group.common.context.isEmpty ? nil : group.common.context),
                "variants": .array(
                  group.others.map { other in
                    .object([
                      "value": .string(other.text), "files": .integer(other.fileCount),
                      "command": .string(Self.command(field, other, group.common)),
                    ])
                  }),
              ])
            }, under: "groups", after: [.init("field", .string(field.queryName))])
        }
        for group in groups {
          try StandardOutput.line(TerminalText.escaped("\(group.common.text)  \(group.common.fileCount)"))
          for other in group.others {
            try StandardOutput.line(TerminalText.escaped("  \(other.text)  \(other.fileCount)"))
            try StandardOutput.line(TerminalText.escaped("    \(Self.command(field, other, group.common))"))
          }
        }
        if groups.isEmpty { output.tellNothing("no variants of \(field.queryName)") }
      }
    }

    private func groups(of field: CorrectionField, in store: MediaStore) throws -> [ValueVariants] {
      let all = try store.corrections.variants(of: field)
      return limit.map { Array(all.prefix($0)) } ?? all
    }

    private func mended(in store: MediaStore) throws -> (groups: [ValueVariants], report: CorrectionReport) {
      let field = try store.corrections.field(named: field)
      let groups = try groups(of: field, in: store)
      return (groups, try store.corrections.mend(groups, of: field, isDryRun: isDryRun))
    }

    private func correct() throws {
      let (groups, report) = try library.writing(.readWrite, mended)
      guard !groups.isEmpty else { return output.tellNothing("no variants of \(field)") }
      let count = groups.reduce(0) { $0 + $1.others.count }
      try output.tell(
        CorrectionText.report("\(NumberText.count(count, "variant")) of \(field)", report, isDryRun: isDryRun))
    }

    private static func command(
      _ field: CorrectionField, _ other: ValueVariants.Value, _ common: ValueVariants.Value
    ) -> String {
      var words = ["deadwax", "tags", "replace", field.queryName, other.text, common.text]
      if words[4...].contains(where: { $0.hasPrefix("-") }) { words.insert("--", at: 3) }
      if !other.context.isEmpty {
        let name = "\"\(other.context.escaping("\"\\", with: "\\"))\""
        words.append("albumartist:=\(name) OR artist:=\(name)")
      }
      return words.map(CorrectionText.shellWord).joined(separator: " ")
    }
  }

  struct Missing: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "missing", abstract: "List files that lack fields.",
      discussion: """
        Lists the files with the fields that each lacks, and the commands that fill those on which all other files of \
        the album agree; an album artist that no file names is the artist of the album, beside whom tracks may have \
        guests. Albums that other programs may split without an album artist come first. A field that a correction \
        empties counts as missing; a measured tempo or key counts as present. \(QueryHelp.short)

        Examples: deadwax tags missing genre,year,albumartist 'codec:flac'
                  deadwax tags missing albumartist --json
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions

    @Argument(help: ArgumentHelp("Fields, separated by commas.", valueName: "fields"), completion: Completions.fields)
    var fields: String

    @OptionGroup var query: QueryArgument

    func run() throws {
      try library.reading { store in
        let fields = try store.corrections.fields(named: fields)
        guard !fields.isEmpty else { throw ValidationError("name at least one field") }
        let vocabulary = store.vocabulary
        let columns = fields.map { vocabulary[$0.queryName] ?? QueryField($0.name.lowercased(), .tag) }
        var found = try query.query(in: store)
        let lacking = columns.map { QueryCondition.test($0, .absent) }
        let condition = lacking.count == 1 ? lacking[0] : .any(lacking)
        found.condition = found.condition.map { .all([$0, condition]) } ?? condition
        var rows: [Row] = []
        let known = [.id, QueryField("path", .path), vocabulary["album-id"] ?? QueryField("album-id", .integer)]
        try store.forEachRow(of: found, fields: known + columns) { values in
          guard case .path(let path) = values[1] else { return }
          let missing = fields.indices.filter { if case .none = values[known.count + $0] { true } else { false } }
          let album: Int64? = if case .integer(let id) = values[2] { id } else { nil }
          rows.append(Row(id: values[0], path: path, album: album, missing: missing.map { fields[$0] }))
        }
        let fills = try fills(for: rows, in: store)
        guard !document.isWanted else {
          return try document.write(
            rows.map { row in
              let id: JSONValue = if case .integer(let id) = row.id { .integer(id) } else { .null }
              let filled = row.places.compactMap { fills[$0] }
              return JSONValue.object([
                "missing": .array(row.missing.map { .string($0.queryName) }),
                "fills": .array(filled.map(Self.document)),
              ]).preceded(by: [.init("id", id)] + JSONValue.path(row.path))
            }, under: "files")
        }
        var table = TextTable([.init(title: "FILE", overflow: .isCutAsPath), .init(title: "LACKS", canShrink: false)])
        for row in rows {
          try table.add([row.path.displayString, row.missing.map(\.queryName).joined(separator: ", ")])
        }
        try table.finish()
        for fill in fills.values.sorted(by: {
          ($0.isNeeded ? 0 : 1, $0.albumID, $0.field.name) < ($1.isNeeded ? 0 : 1, $1.albumID, $1.field.name)
        }) {
          let reason = fill.isNeeded ? ", so that other programs may split the album" : ""
          let words =
            "\(fill.albumTitle): \(NumberText.count(fill.fileCount, "file")) without \(fill.field.queryName)\(reason)"
          try StandardOutput.line(TerminalText.escaped(words))
          try StandardOutput.line(TerminalText.escaped("    \(Self.command(fill))"))
        }
        try output.tell(
          rows.isEmpty
            ? "no file lacks \(fields.map(\.queryName).joined(separator: " or "))"
            : "\(NumberText.count(rows.count, "file"))")
      }
    }

    private struct Row {
      var id: FieldValue
      var path: BytePath
      var album: Int64?
      var missing: [CorrectionField]

      var places: [Place] {
        album.map { album in missing.map { Place(album: album, field: $0) } } ?? []
      }
    }

    private struct Place: Hashable {
      var album: Int64
      var field: CorrectionField
    }

    /// What the other files of albums say about what is missing.
    private func fills(for rows: [Row], in store: MediaStore) throws -> [Place: AlbumFill] {
      var fills: [Place: AlbumFill] = [:]
      for place in Swift.Set(rows.flatMap(\.places)) {
        fills[place] = try store.corrections.fill(of: place.field, inAlbum: place.album)
      }
      return fills
    }

    private static func command(_ fill: AlbumFill) -> String {
      let name = fill.field.queryName
      // The name of a tag may have blanks.
      let term = name.contains(" ") ? "\"\(name)\":\"\"" : "\(name):\"\""
      let settings = fill.values.map { "\(name)=\($0)" }
      let words = ["deadwax", "tags", "set"] + settings + ["album-id:\(fill.albumID) \(term)"]
      return words.map(CorrectionText.shellWord).joined(separator: " ")
    }

    private static func document(_ fill: AlbumFill) -> JSONValue {
      .object([
        "field": .string(fill.field.queryName), "values": .array(fill.values.map { .string($0) }),
        "needed": .bool(fill.isNeeded),
        "command": .string(command(fill)),
      ])
    }
  }
}
