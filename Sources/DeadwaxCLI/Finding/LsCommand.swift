internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import QueryLanguage

struct LsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List files that match a query.",
    discussion: QueryHelp.full + QueryHelp.fields
      + """


      Files outside the library are analysed on the spot, if all arguments are such files.

      Examples:
        deadwax ls ~/Downloads/*.flac --fields filename,lufs,cutoff
        deadwax ls 'genre:jazz duration:>3:00 silence_end:>5 year-'
        deadwax ls --format-string '{artist} – {title} [{duration}]' 'lufs:>-8'
        deadwax ls --group-by artist --sum duration --count --sort count-
        deadwax ls --group-by composer,work --count
        deadwax ls --group-by added:month --count --avg lufs
        deadwax ls --sort random --limit 20
        deadwax ls --parts 'has:parts genre:audiobook' --fields address,start,title
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions
  @OptionGroup var query: QueryArgument

  private static let usualFields = "id,\(usualFieldsOutsideLibrary)"
  private static let usualFieldsOutsideLibrary = "path,artist,title,album,duration,codec,state"

  private static let usualFieldsOfParts = "address,start,duration,artist,title,filename"

  /// The usual fields that a narrow terminal leaves out, the first ones first.
  private static let dispensableFields = ["codec", "album", "artist", "state", "title"]

  @Option(
    help: ArgumentHelp(
      "The fields to show, separated by commas (default: \(usualFields); a narrow terminal shows fewer).",
      valueName: "a,b,c"),
    completion: Completions.fields)
  var fields: [String] = []

  @Option(
    help: ArgumentHelp(
      "Sort by fields, each followed by + or -: year-,artist+. random shuffles; random:7 gives the same order each time.",
      valueName: "fields"),
    completion: Completions.fields)
  var sort: [String] = []

  @Option(help: ArgumentHelp("Show at most this many lines.", valueName: "n"), transform: Self.count)
  var limit: Int?

  @Option(help: ArgumentHelp("The format: table, json, jsonl, csv, tsv or paths.", valueName: "format"))
  var format: ListFormat?

  @Option(
    help: ArgumentHelp(
      "The line for each file, with fields in braces: '{artist} – {title} [{duration}]'; {track:02} for two digits.",
      valueName: "template"))
  var formatString: String?

  @Flag(name: [.customShort("0"), .customLong("print0")], help: "Write paths, each terminated by a NUL byte.")
  var endsPathsWithNUL = false

  @Option(
    help: ArgumentHelp(
      "Show one line for each combination of values of these fields, instead of each file; a file with several artists "
        + "or genres counts for each; times are grouped by day, or as in added:month, date:year.", valueName: "a,b"),
    completion: Completions.fields)
  var groupBy: [String] = []

  @Option(
    help: ArgumentHelp(
      "Show the sums of these fields (lengths, sizes, counts), for each group or all files.", valueName: "a,b"),
    completion: Completions.fields)
  var sum: [String] = []

  @Option(
    help: ArgumentHelp("Show the means of these fields, such as avg_lufs.", valueName: "a,b"),
    completion: Completions.fields
  )
  var avg: [String] = []

  @Option(
    help: ArgumentHelp("Show the smallest values of these fields.", valueName: "a,b"), completion: Completions.fields)
  var min: [String] = []

  @Option(
    help: ArgumentHelp("Show the largest values of these fields.", valueName: "a,b"), completion: Completions.fields)
  var max: [String] = []

  @Option(
    help: ArgumentHelp("Show the medians of these fields.", valueName: "a,b"), completion: Completions.fields)
  var median: [String] = []

  @Flag(help: "Show the number of files, for each group or all files.")
  var count = false

  @Option(
    help: ArgumentHelp(
      "Text in csv that a spreadsheet would evaluate (= + - @ first): escape puts ' before it, keep does not."))
  var csvFormulas: SpreadsheetCell.Formulas = .escape

  @Flag(
    help: """
      Show the parts of the matching files (chapters, and tracks of CUE sheets), one per line, with the fields \
      address part start end duration title artist songwriter genre date isrc source, and those of the file.
      """)
  var parts = false

  @Flag(
    name: .customLong("stdin0"),
    help: "Show only files whose NUL-terminated paths are read from standard input, in that order unless sorted."
  )
  var readsPaths = false

  private static func count(_ text: String) throws -> Int {
    guard let count = Int(text), count >= 0, text.first != "+" else {
      throw ValidationError("--limit takes a whole number from 0 to \(Int.max)")
    }
    return count
  }

  private var isGrouped: Bool { !groupBy.isEmpty || count || hasMeasures }
  private var hasMeasures: Bool { QueryGrouping.Measure.Function.allCases.contains { measured($0) != nil } }

  /// The fields that an option wants a number about.
  private func measured(_ function: QueryGrouping.Measure.Function) -> String? {
    switch function {
    case .sum: sum.joinedList
    case .avg: avg.joinedList
    case .min: min.joinedList
    case .max: max.joinedList
    case .median: median.joinedList
    }
  }

  mutating func validate() throws {
    let asked = [
      document.json ? ListFormat.json : nil, document.jsonl ? .jsonl : nil, endsPathsWithNUL ? .paths : nil, format,
    ]
    .compactMap { $0 }
    guard Set(asked).count + (formatString == nil ? 0 : 1) <= 1 else {
      throw ValidationError("choose only one format")
    }
    if !fields.isEmpty, isGrouped || formatString != nil || chosenFormat == .paths {
      throw ValidationError(
        "--fields cannot be used with groups, --format-string or paths")
    }
    if parts, isGrouped || chosenFormat == .paths {
      throw ValidationError("--parts cannot be used with groups, --count and paths")
    }
    if isGrouped, chosenFormat == .paths || formatString != nil || readsPaths {
      throw ValidationError(
        "groups, aggregates and --count cannot be used with paths, --format-string or --stdin0")
    }
  }

  private var chosenFormat: ListFormat {
    if endsPathsWithNUL { return .paths }
    return format ?? (document.json ? .json : document.jsonl ? .jsonl : .table)
  }

  func run() throws {
    try library.reading(orAnalysing: query.words.map(BytePath.init(argument:)), output) { store in
      let vocabulary = parts ? store.partVocabulary : store.vocabulary
      var query = try store.isTemporary ? .everything : query.query(in: store)
      if store.isTemporary { try tellProblems(in: store) }
      if isGrouped { return try writeGroups(of: &query, in: store, vocabulary) }
      if let sort = sort.joinedList { query.order = try order(sort, vocabulary) }
      let fileIDs = readsPaths ? try Self.filesOfStandardInput(in: store) : nil
      if let formatString {
        return try writeLines(formatString, query, in: store, vocabulary, fileIDs: fileIDs)
      }
      let usualFields =
        parts ? Self.usualFieldsOfParts : store.isTemporary ? Self.usualFieldsOutsideLibrary : Self.usualFields
      let fields = try FieldList.fields(
        chosenFormat == .paths ? "path" : fields.joinedList ?? usualFields, vocabulary, option: "--fields")
      var writer = RowWriter(
        fields, chosenFormat, endsWithNUL: endsPathsWithNUL, formulas: csvFormulas,
        dispensable: self.fields.isEmpty ? Self.dispensableFields : [])
      try writer.begin()
      try store.forEachListRow(of: query, fields: fields, limit: limit, fileIDs: fileIDs, listsParts: parts) {
        try writer.add($0)
      }
      try writer.finish()
      try QueryRemarks.write(
        about: query, findsNothing: writer.count == 0 && limit != 0 && !readsPaths, in: store, output)
    }
  }

  /// Says why files that were analysed on the spot are not `ok`: `problems` only knows those of the library.
  private func tellProblems(in store: MediaStore) throws {
    guard !output.quiet else { return }
    try store.files.forEachProblem(in: .everything) { file in
      let reason = file.problem.map { ": \($0.reason)" } ?? ""
      StandardError.line(TerminalText.escaped("\(file.path.displayString): \(file.state.rawValue)\(reason)"))
    }
  }

  /// The ids of the files that standard input names, in its order; paths that the library does not know are reported.
  private static func filesOfStandardInput(in store: MediaStore) throws -> [Int64] {
    let bytes = try InputFile.bytes(of: InputFile.standardInput, limit: .max)
    let paths = bytes.split(separator: 0, omittingEmptySubsequences: true).map { BytePath($0) }
    let ids = try store.files.ids(at: paths)
    for (index, id) in ids.enumerated() where id == nil {
      let path = TerminalText.escaped(paths[index].displayString)
      StandardError.line("standard input, path \(index + 1): \(path): not in the library")
    }
    var seen: Set<Int64> = []
    return ids.compactMap { $0 }.filter { seen.insert($0).inserted }
  }

  private func order(_ text: String, _ vocabulary: QueryVocabulary) throws -> [SortTerm] {
    do throws(QueryError) {
      return try Query.order(text, vocabulary: vocabulary)
    } catch {
      throw ValidationError("--sort, column \(error.column): \(error.message)")
    }
  }

  private func writeLines(
    _ text: String, _ query: Query, in store: MediaStore, _ vocabulary: QueryVocabulary, fileIDs: [Int64]?
  ) throws {
    let template: FieldTemplate
    do throws(TemplateError) {
      template = try FieldTemplate(text)
    } catch {
      throw ValidationError("--format-string: \(error)")
    }
    let fields = try template.fields.map { try FieldList.field($0, vocabulary, option: "--format-string") }
    try store.forEachListRow(of: query, fields: fields, limit: limit, fileIDs: fileIDs, listsParts: parts) { row in
      let values = zip(row.values, fields).map { TerminalText.escaped($0.readable($1)) }
      try StandardOutput.line(template.text(values: values))
    }
  }

  private func writeGroups(of query: inout Query, in store: MediaStore, _ vocabulary: QueryVocabulary) throws {
    let measures = try QueryGrouping.Measure.Function.allCases.flatMap { try self.measures($0, vocabulary) }
    let keys = try groupBy.joinedList?.split(separator: ",", omittingEmptySubsequences: false).map {
      try Self.key(String($0.trimmingPrefix(" ")), vocabulary)
    }
    let grouping = QueryGrouping(by: keys ?? [], hasCount: count || measures.isEmpty, measures: measures)
    if let sort = sort.joinedList {
      let columns = QueryVocabulary(grouping.fields)
      query.order = try order(sort, columns)
    }
    // The order in a query of files does not matter if only counts are shown, but it cannot sort groups.
    let isSorted = !sort.isEmpty || !groupBy.isEmpty
    if isSorted, let term = query.order.first(where: { !grouping.fields.contains($0.field) }) {
      throw ValidationError("cannot sort by \(term.field.name): the groups have no such column")
    }
    var writer = RowWriter(grouping.fields, chosenFormat, endsWithNUL: false, formulas: csvFormulas)
    try writer.begin()
    try store.forEachGroup(of: query, grouping, limit: limit) { try writer.add($0) }
    try writer.finish()
  }

  private func measures(
    _ function: QueryGrouping.Measure.Function, _ vocabulary: QueryVocabulary
  ) throws -> [QueryGrouping.Measure] {
    let option = "--\(function.rawValue)"
    return try measured(function).map { try FieldList.fields($0, vocabulary, option: option) }.map { fields in
      try fields.map { field in
        if let measure = QueryGrouping.Measure(function, of: field) { return measure }
        throw ValidationError(
          "\(option): "
            + (field.kind.isNumber
              ? "a sum of \(field.name) is meaningless; use --avg, --median, --min or --max"
              : "the field \(field.name) is not a number"))
      }
    } ?? []
  }

  /// A field, or the day, month or year of one: `added:month`.
  private static func key(_ text: String, _ vocabulary: QueryVocabulary) throws -> QueryGrouping.Key {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard vocabulary[text] == nil, parts.count == 2 else {
      let field = try FieldList.field(text, vocabulary, option: "--group-by")
      if let key = QueryGrouping.Key(field, by: nil) { return key }
      throw ValidationError("--group-by: cannot group by \(field.name)")
    }
    guard let period = QueryGrouping.Key.Period(rawValue: parts[1]) else {
      throw ValidationError("--group-by: \(parts[0]) takes day, month or year, not '\(parts[1])'")
    }
    let field = try FieldList.field(parts[0], vocabulary, option: "--group-by")
    if let key = QueryGrouping.Key(field, by: period) { return key }
    throw ValidationError("--group-by: \(field.name) has no \(period.rawValue): it is neither a date nor a time")
  }
}
