internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// `deadwax tags`: corrections of tags in the library, and what of them is written into files.
struct TagsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags",
    abstract: "Correct tags, find what to correct, and write tags into files.",
    discussion: """
      A correction takes effect at once and everywhere: in queries, lists, albums, players and exports. No file is \
      written, and the original tag is kept. Corrections of title, artist, genre and other tags about the music \
      belong to the recording and apply to its copies; those of album, album artist, numbers, date and the like \
      belong to one file. `undo` reverts the latest change.

      `tags write` writes corrections or measured loudness into files, after listing them, and `tags undo` restores \
      the files byte for byte. Only these two, `artwork embed` and `artwork remove` write music files \
      (docs/writing-tags.md).

      Examples: deadwax tags set genre=Jazz artist='Nora Vale' 'album:tides'
                deadwax tags replace genre 'post rock' Post-Rock
                deadwax tags variants artist
                deadwax tags list
                deadwax tags write is:corrected
      """,
    subcommands: [
      List.self, Set.self, Add.self, Remove.self, Clear.self, Replace.self, Revert.self, Resolve.self, Variants.self,
      Missing.self, TagsWriteCommand.self, TagsUndoCommand.self,
    ], defaultSubcommand: List.self)
}

/// What all commands that correct have in common.
struct CorrectionOptions: ParsableArguments {
  @Flag(help: "All files of the library.")
  var all = false

  @Flag(name: [.customLong("dry-run"), .customShort("n")], help: "Show what would change without changing anything.")
  var isDryRun = false

  @Flag(help: "Print one JSON document.")
  var json = false

  /// Words that name files: ids of tracks, paths, or a query.
  func validate(_ words: some Collection<String>) throws {
    let hasWords = words.contains { !$0.isEmpty }
    if all, hasWords { throw ValidationError("--all takes no query") }
    if !all, !hasWords { throw ValidationError("name the files with ids, paths or a query, or use --all") }
  }

  /// The files in the order of the query. A path is that file alone, an id all copies of the track.
  func fileIDs(_ words: [String], in store: MediaStore) throws -> [Int64] {
    guard !all else { return try store.fileIDs(of: .everything) }
    let ids = try store.fileIDs(of: Self.query(words, in: store))
    guard !ids.isEmpty else { throw TrackError.nothing(named: words) }
    return ids
  }

  /// Ids of tracks, else a query or paths.
  static func query(_ words: [String], in store: MediaStore) throws -> Query {
    let areIDs = !words.isEmpty && words.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    return try areIDs ? store.tracks.query(naming: words) : store.query(finding: words)
  }

  /// Opens the library for what the command does: a dry run may have to do it and take it back, to know what follows from it.
  func using<Value>(_ library: LibraryOptions, _ body: (MediaStore) throws -> Value) throws -> Value {
    try library.writing(.readWrite, body)
  }

  func tell(_ what: String, _ report: CorrectionReport, _ output: OutputOptions) throws {
    if json { return try StandardOutput.line(CorrectionText.json(report, isDryRun: isDryRun).prettyText) }
    try output.tell(CorrectionText.report(what, report, isDryRun: isDryRun))
  }
}

/// `FIELD=VALUE …`, and behind them the words that name files.
struct TagSettings {
  var settings: [(name: String, value: String)] = []
  var words: [String] = []

  init(_ words: [String]) {
    var rest = words[...]
    while let word = rest.first, let sign = word.firstIndex(of: "="), sign > word.startIndex,
      word[..<sign].utf8.allSatisfy({ $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") })
    {
      settings.append((String(word[..<sign]), String(word[word.index(after: sign)...])))
      rest.removeFirst()
    }
    self.words = Array(rest)
  }

  var text: String { settings.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }

  /// The values of each field in their order, each once.
  func values(in store: MediaStore, allowingNew: Bool) throws -> [CorrectionEdit.Setting] {
    var found: [CorrectionEdit.Setting] = []
    for (name, value) in settings {
      let field = try store.corrections.field(named: name, allowsNew: allowingNew)
      let value = try field.value(CorrectionValue.composed(value))
      guard let index = found.firstIndex(where: { $0.field == field }) else {
        found.append(CorrectionEdit.Setting(field: field, values: [value]))
        continue
      }
      if !found[index].values.contains(value) { found[index].values.append(value) }
      if found[index].values.count > Tags.maximumValueCountOfProperty {
        throw ValidationError("\(field.queryName) has at most \(Tags.maximumValueCountOfProperty) values")
      }
      if field.kind.isSingle, found[index].values.count > 1 {
        throw ValidationError(
          "\(field.queryName) has one value, not '\(found[index].values.joined(separator: "' and '"))'")
      }
    }
    return found
  }
}

extension TagsCommand {
  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Set fields to values.",
      discussion: """
        Repeat a field to give it several values; values are not split at `; `. The fields are those of queries \
        (`deadwax help query`) and all tags that files have; a new name needs --new. Numbers are whole, dates are \
        YYYY, YYYY-MM or YYYY-MM-DD. A path selects that file, an id all copies of the track; fields that belong to \
        the recording change for all copies either way. \(QueryHelp.short)

        Examples: deadwax tags set genre=Jazz genre=Soul 'album:tides'
                  deadwax tags set year=1999 track=3 music/a.flac
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var options: CorrectionOptions

    @Flag(help: "Allow a tag name that no file has yet.")
    var new = false

    @Argument(
      help: ArgumentHelp("Fields and values, then ids, paths or a query.", valueName: "field=value"),
      completion: Completions.query)
    var words: [String]

    func validate() throws { try options.validate(settings: TagSettings(words), of: words) }

    func run() throws {
      let settings = TagSettings(words)
      let report = try options.using(library) { store in
        try store.corrections.correct(
          .set(settings.values(in: store, allowingNew: new)), ofFiles: options.fileIDs(settings.words, in: store),
          isDryRun: options.isDryRun)
      }
      try options.tell(settings.text, report, output)
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add values to fields.",
      discussion: """
        A value that the field already has keeps its position. \(QueryHelp.short)

        Example: deadwax tags add genre=Live 'path:Bootleg'
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var options: CorrectionOptions

    @Flag(help: "Allow a tag name that no file has yet.")
    var new = false

    @Argument(
      help: ArgumentHelp("Fields and values, then ids, paths or a query.", valueName: "field=value"),
      completion: Completions.query)
    var words: [String]

    func validate() throws { try options.validate(settings: TagSettings(words), of: words) }

    func run() throws {
      let settings = TagSettings(words)
      let report = try options.using(library) { store in
        let values = try settings.values(in: store, allowingNew: new)
        if let single = values.first(where: { $0.field.kind.isSingle }) {
          throw ValidationError("\(single.field.queryName) has one value; `deadwax tags set` sets it")
        }
        return try store.corrections.correct(
          .add(values), ofFiles: options.fileIDs(settings.words, in: store), isDryRun: options.isDryRun)
      }
      try options.tell(settings.text, report, output)
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove values from fields.",
      discussion: """
        The value must match exactly. `clear` removes all values of a field. \(QueryHelp.short)

        Example: deadwax tags remove genre=Pop 'artist:nora'
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var options: CorrectionOptions

    @Argument(
      help: ArgumentHelp("Fields and values, then ids, paths or a query.", valueName: "field=value"),
      completion: Completions.query)
    var words: [String]

    func validate() throws { try options.validate(settings: TagSettings(words), of: words) }

    func run() throws {
      let settings = TagSettings(words)
      let report = try options.using(library) { store in
        // What is removed need not be a valid value.
        var values: [CorrectionEdit.Setting] = []
        for (name, value) in settings.settings {
          let field = try store.corrections.field(named: name)
          let value = CorrectionValue.composed(value)
          if let index = values.firstIndex(where: { $0.field == field }) {
            values[index].values.append(value)
          } else {
            values.append(CorrectionEdit.Setting(field: field, values: [value]))
          }
        }
        return try store.corrections.correct(
          .remove(values), ofFiles: options.fileIDs(settings.words, in: store), isDryRun: options.isDryRun)
      }
      try options.tell("without \(settings.text)", report, output)
    }
  }

  struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear", abstract: "Empty fields, overriding the tags in the files.",
      discussion: """
        `revert` restores the values from the files. \(QueryHelp.short)

        Example: deadwax tags clear comment,mood 'album:tides'
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var options: CorrectionOptions

    @Argument(help: ArgumentHelp("Fields, separated by commas.", valueName: "fields"), completion: Completions.fields)
    var fields: String

    @Argument(help: ArgumentHelp("Ids, paths or a query.", valueName: "query"), completion: Completions.query)
    var words: [String] = []

    func validate() throws { try options.validate(words) }

    func run() throws {
      let report = try options.using(library) { store in
        let fields = try store.corrections.fields(named: fields)
        return try store.corrections.correct(
          .set(fields.map { CorrectionEdit.Setting(field: $0, values: []) }),
          ofFiles: options.fileIDs(words, in: store),
          isDryRun: options.isDryRun)
      }
      try options.tell("\(fields) cleared", report, output)
    }
  }

  struct Replace: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "replace", abstract: "Replace one value of a field with another, wherever it occurs.",
      discussion: """
        The value must match exactly; other values of the field are kept. Without a query it applies to all files. \
        If the field belongs to the recording, its copies get the new values, too. `variants` finds candidates. \
        \(QueryHelp.short)

        Example: deadwax tags replace genre 'post rock' Post-Rock
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var options: CorrectionOptions

    @Argument(help: "The field.", completion: Completions.fields)
    var field: String

    @Argument(help: "The value to replace.")
    var from: String

    @Argument(help: "The new value.")
    var to: String

    @Argument(
      help: ArgumentHelp("Ids, paths or a query (default: all files).", valueName: "query"),
      completion: Completions.query)
    var words: [String] = []

    func validate() throws {
      if options.all { try options.validate(words) }
    }

    func run() throws {
      let report = try options.using(library) { store in
        let field = try store.corrections.field(named: field)
        let former = CorrectionValue.composed(from)
        let value = try field.value(CorrectionValue.composed(to))
        // Only these can have it.
        var ids = try store.corrections.files(with: former, in: field)
        if words.contains(where: { !$0.isEmpty }) {
          let named = Swift.Set(try options.fileIDs(words, in: store))
          ids = ids.filter(named.contains)
        }
        return try store.corrections.correct(
          .replace(field, from: former, to: value), ofFiles: ids, isDryRun: options.isDryRun)
      }
      guard report.fileCount > 0 || options.json else { return output.tellNothing("no file has '\(from)' as \(field)") }
      try options.tell("\(field) '\(from)' to '\(to)'", report, output)
    }
  }

  struct Revert: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revert", abstract: "Remove corrections, so that the tags in the files apply again.",
      discussion: """
        Without --fields it removes all corrections of the files. \(QueryHelp.short)

        Example: deadwax tags revert --fields genre 'album:tides'
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var options: CorrectionOptions

    @Option(help: ArgumentHelp("Fields, separated by commas.", valueName: "fields"), completion: Completions.fields)
    var fields: String?

    @Argument(help: ArgumentHelp("Ids, paths or a query.", valueName: "query"), completion: Completions.query)
    var words: [String] = []

    func validate() throws { try options.validate(words) }

    func run() throws {
      let report = try options.using(library) { store in
        try store.corrections.revert(
          fields.map { try store.corrections.fields(named: $0) }, ofFiles: options.fileIDs(words, in: store),
          isDryRun: options.isDryRun)
      }
      try options.tell("reverted", report, output)
    }
  }

  struct Resolve: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resolve", abstract: "Settle conflicts: tags that changed in the file after they were corrected.",
      discussion: """
        `deadwax tags list is:conflict` shows them. Until you decide, the correction applies. --mine keeps it, \
        --files takes the new values from the files. \(QueryHelp.short)

        Example: deadwax tags resolve --files 'album:tides'
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var options: CorrectionOptions

    @Flag(help: "Keep the corrections.")
    var mine = false

    @Flag(help: "Take the values from the files.")
    var files = false

    @Argument(help: ArgumentHelp("Ids, paths or a query.", valueName: "query"), completion: Completions.query)
    var words: [String] = []

    func validate() throws {
      guard mine != files else { throw ValidationError("choose --mine or --files") }
      try options.validate(words)
    }

    func run() throws {
      let report = try options.using(library) { store in
        try store.corrections.resolve(
          mine ? .mine : .files, ofFiles: options.fileIDs(words, in: store), isDryRun: options.isDryRun)
      }
      try options.tell("resolved", report, output)
    }
  }
}

extension CorrectionOptions {
  /// Of `FIELD=VALUE… QUERY`.
  fileprivate func validate(settings: TagSettings, of words: [String]) throws {
    guard !settings.settings.isEmpty else {
      throw ValidationError(
        "\(words.first.map { "'\($0)'" } ?? "nothing"): write FIELD=VALUE before the query")
    }
    try validate(settings.words)
  }
}

extension Corrections {
  /// The fields of a list separated by commas.
  func fields(named list: String) throws -> [CorrectionField] {
    try list.split(separator: ",", omittingEmptySubsequences: true).reduce(into: []) { fields, name in
      let field = try field(named: String(name))
      if !fields.contains(field) { fields.append(field) }
    }
  }
}
