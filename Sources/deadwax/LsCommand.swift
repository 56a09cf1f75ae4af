internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

struct LsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List files that a query finds.",
    discussion: QueryHelp.full + QueryHelp.fields
      + """


      Examples:
        deadwax ls 'genre:jazz duration:>3:00 silence_end:>5 year-'
        deadwax ls --format-string '{artist} – {title} [{duration}]' lufs:>-8
        deadwax ls --group-by artist --sum duration --count --sort count-
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions
  @OptionGroup var query: QueryArgument

  private static let usualFields = "id,path,artist,title,album,duration,codec,state"

  @Option(
    help: ArgumentHelp("The fields to show, parted by commas (default: \(usualFields)).", valueName: "a,b,c"),
    completion: Completions.fields)
  var fields: String?

  @Option(
    help: ArgumentHelp("Sort by fields, each with + or - behind it: year-,artist+", valueName: "fields"),
    completion: Completions.fields)
  var sort: String?

  @Option(help: ArgumentHelp("At most so many lines.", valueName: "n"), transform: Self.count)
  var limit: Int?

  @Option(help: ArgumentHelp("table, json, jsonl, csv, tsv or paths.", valueName: "format"))
  var format: ListFormat?

  @Option(
    help: ArgumentHelp(
      "A line for each file, with fields in braces: '{artist} – {title} [{duration}]'; {track:02} for two digits.",
      valueName: "template"))
  var formatString: String?

  @Flag(name: [.customShort("0"), .customLong("print0")], help: "Write paths, each ended by a NUL byte.")
  var endsPathsWithNUL = false

  @Option(
    help: ArgumentHelp("A line for each value of fields instead of each file.", valueName: "a,b"),
    completion: Completions.fields)
  var groupBy: String?

  @Option(
    help: ArgumentHelp("The sums of fields, of each group or of all files.", valueName: "a,b"),
    completion: Completions.fields)
  var sum: String?

  @Flag(help: "The number of files, of each group or of all.")
  var count = false

  @Flag(
    name: .customLong("stdin0"),
    help: "Only files whose paths come from standard input, each ended by a NUL byte; in that order, unless sorted.")
  var readsPaths = false

  private static func count(_ text: String) throws -> Int {
    guard let count = Int(text), count >= 0, text.first != "+" else {
      throw ValidationError("--limit takes a whole number from 0 to \(Int.max)")
    }
    return count
  }

  private var isGrouped: Bool { groupBy != nil || sum != nil || count }

  mutating func validate() throws {
    let asked = [
      document.json ? ListFormat.json : nil, document.jsonl ? .jsonl : nil, endsPathsWithNUL ? .paths : nil, format,
    ]
    .compactMap { $0 }
    guard Set(asked).count + (formatString == nil ? 0 : 1) <= 1 else {
      throw ValidationError("more than one format was asked for")
    }
    if fields != nil, isGrouped || formatString != nil || chosenFormat == .paths {
      throw ValidationError(
        "--fields goes with lists of files: groups and lines have the fields that they name, and paths are one")
    }
    if isGrouped, chosenFormat == .paths || formatString != nil || readsPaths {
      throw ValidationError(
        "--group-by, --sum and --count make tables of all files that a query finds: no paths, no lines, not with --stdin0"
      )
    }
  }

  private var chosenFormat: ListFormat {
    if endsPathsWithNUL { return .paths }
    return format ?? (document.json ? .json : document.jsonl ? .jsonl : .table)
  }

  func run() throws {
    try library.reading { store in
      let vocabulary = store.vocabulary
      var query = try query.query(in: store)
      if isGrouped { return try writeGroups(of: &query, in: store, vocabulary) }
      if let sort { query.order = try order(sort, vocabulary) }
      let fileIDs = readsPaths ? try StandardInput.files(in: store) : nil
      if let formatString {
        return try writeLines(formatString, query, in: store, vocabulary, fileIDs: fileIDs)
      }
      let fields = try FieldList.fields(
        chosenFormat == .paths ? "path" : fields ?? Self.usualFields, vocabulary, option: "--fields")
      var writer = RowWriter(fields, chosenFormat, endsWithNUL: endsPathsWithNUL)
      try writer.begin()
      try store.forEachListRow(of: query, fields: fields, limit: limit, fileIDs: fileIDs) { try writer.add($0) }
      try writer.finish()
    }
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
    do throws(ExportError) {
      template = try FieldTemplate(text)
    } catch {
      throw ValidationError("--format-string: \(error)")
    }
    let fields = try template.fields.map { try FieldList.field($0, vocabulary, option: "--format-string") }
    try store.forEachListRow(of: query, fields: fields, limit: limit, fileIDs: fileIDs) { row in
      let values = zip(row.values, fields).map { TerminalText.escaped($0.readable($1)) }
      try StandardOutput.line(template.text(values: values))
    }
  }

  private func writeGroups(of query: inout Query, in store: MediaStore, _ vocabulary: QueryVocabulary) throws {
    let sums = try sum.map { try FieldList.fields($0, vocabulary, option: "--sum") } ?? []
    if let field = sums.first(where: { !$0.kind.isNumber }) {
      throw ValidationError("--sum: \(field.name) is no number")
    }
    let grouping = QueryGrouping(
      by: try groupBy.map { try FieldList.fields($0, vocabulary, option: "--group-by") } ?? [], sums: sums,
      hasCount: count || sums.isEmpty)
    if let sort {
      let columns = QueryVocabulary(grouping.fields)
      query.order = try order(sort, columns)
    }
    // A query that sorts files can be counted; lines of groups it cannot sort.
    let isSorted = sort != nil || groupBy != nil
    if isSorted, let term = query.order.first(where: { !grouping.fields.contains($0.field) }) {
      throw ValidationError("sort by \(term.field.name): no column of these groups")
    }
    var writer = RowWriter(grouping.fields, chosenFormat, endsWithNUL: false)
    try writer.begin()
    try store.forEachGroup(of: query, grouping, limit: limit) { try writer.add($0) }
    try writer.finish()
  }
}

enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case table
  case json
  case jsonl
  case csv
  case tsv
  case paths
}
