internal import ArgumentParser
internal import MediaModel
internal import MediaStore

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List files that a query finds.",
    discussion: QueryHelp.full + QueryHelp.fields
      + "\n\nExample: deadwax ls 'genre:jazz duration:>3:00 silence_end:>5 year-'")

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions
  @OptionGroup var query: QueryArgument

  @Option(help: ArgumentHelp("The fields to show, parted by commas.", valueName: "a,b,c"))
  var fields = "id,path,artist,title,album,duration,codec,state"

  @Option(help: ArgumentHelp("Sort by fields, each with + or - behind it: year-,artist+", valueName: "fields"))
  var sort: String?

  @Option(help: ArgumentHelp("At most so many files.", valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp("table, json, jsonl, csv, tsv or paths.", valueName: "format"))
  var format: ListFormat?

  @Flag(name: [.customShort("0"), .customLong("print0")], help: "Write paths, each ended by a NUL byte.")
  var endsPathsWithNUL = false

  mutating func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit \(limit) is below 0") }
    let asked = [
      document.json ? ListFormat.json : nil, document.jsonl ? .jsonl : nil, endsPathsWithNUL ? .paths : nil, format,
    ]
    .compactMap { $0 }
    guard Set(asked).count <= 1 else { throw ValidationError("more than one format was asked for") }
  }

  private var chosenFormat: ListFormat {
    if endsPathsWithNUL { return .paths }
    return format ?? (document.json ? .json : document.jsonl ? .jsonl : .table)
  }

  func run() throws {
    try library.reading { store in
      let vocabulary = store.vocabulary
      var query = try query.query(in: store)
      if let sort {
        do throws(QueryError) {
          query.order = try Query.order(sort, vocabulary: vocabulary)
        } catch {
          throw ValidationError("--sort, column \(error.column): \(error.message)")
        }
      }
      let fields = try Self.fields(chosenFormat == .paths ? "path" : fields, vocabulary)
      var writer = RowWriter(fields, chosenFormat, endsWithNUL: endsPathsWithNUL)
      try writer.begin()
      try store.forEachListRow(of: query, fields: fields, limit: limit) { try writer.add($0) }
      try writer.finish()
    }
  }

  private static func fields(_ text: String, _ vocabulary: QueryVocabulary) throws -> [QueryField] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
      let name = name.trimmingPrefix(" ")
      guard let field = vocabulary[String(name)] else {
        let near = vocabulary.names(near: String(name))
        throw ValidationError(
          "--fields: unknown field '\(name)'" + (near.isEmpty ? "" : "; did you mean \(near.joined(separator: ", "))?"))
      }
      return field
    }
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
