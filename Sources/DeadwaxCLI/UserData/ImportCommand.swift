internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaStore
internal import UserData

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import ratings, dates and attributes from a beets library.",
    discussion: """
      Items are found by their paths, so scan the music first. Flexible attributes become fields of queries, such as \
      `rating:>3`; the date added is taken if it is older than the first scan. The beets library is only read.

      `deadwax list import` imports playlists.

      Examples: deadwax import --beets ~/.config/beets/library.db --dry-run
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Option(
    help: ArgumentHelp("The library.db of beets.", valueName: "file"), completion: .file(extensions: ["db", "blb"]))
  var beets: String

  @Option(
    help: ArgumentHelp(
      "The music folder of beets, if paths in its library are relative and the folder is not a root of this library.",
      valueName: "folder"),
    completion: .directory)
  var directory: String?

  @Flag(help: "Show what would be imported, but change nothing.")
  var dryRun = false

  func run() throws {
    let folder = try directory.map { try InputFile.resolved(BytePath(argument: $0)) }
    let beets = try BeetsLibrary(at: BytePath(argument: beets))
    let result = try library.writing(dryRun ? .readOnly : .readWrite) { store in
      try store.attributes.importBeets(beets, folder: folder, isDryRun: dryRun)
    }
    if document.isWanted {
      let missing = result.missing.map { JSONValue.object(JSONValue.path($0.path)) }
      let result: JSONValue = .object([
        "schema": .integer(1), "items": .integer(result.itemCount), "found": .integer(result.foundCount),
        "attributes": .integer(result.attributeCount), "dates": .integer(result.addedDateCount),
        "not_found": .array(missing),
      ])
      return try document.write(result)
    }
    if !output.quiet {
      try StandardOutput.line(
        "\(result.foundCount) of \(NumberText.count(result.itemCount, "item")) found, "
          + "\(NumberText.count(result.attributeCount, "attribute")), "
          + NumberText.count(result.addedDateCount, "older date")
      )
    }
    let shown = output.verbose ? result.missing.count : 10
    for item in result.missing.prefix(shown) {
      StandardError.line("not in the library: " + TerminalText.escaped(item.path.displayString))
    }
    if result.missing.count > shown { StandardError.line("… and \(result.missing.count - shown) more; -v shows all") }
  }
}
