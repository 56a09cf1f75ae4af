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
      `mood:calm`; the date added is imported if it is earlier than the first scan. Attributes that already exist \
      here are kept, and differences are listed. The beets library is only read.

      Ratings go from 0 to 100; a star is 20. beets has no rating scale of its own, so ratings are imported \
      unchanged unless --rating-scale gives the highest one: 5 for stars, 1 for ratings by the mpdstats plugin.

      `deadwax list import` imports playlists.

      Examples: deadwax import --beets ~/.config/beets/library.db --dry-run
                deadwax import --beets ~/.config/beets/library.db --rating-scale 5
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Option(
    help: ArgumentHelp("The beets library.db.", valueName: "file"), completion: .file(extensions: ["db", "blb"]))
  var beets: String

  @Option(
    help: ArgumentHelp(
      "The beets music folder, if its paths are relative and it is not a root here.",
      valueName: "folder"),
    completion: .directory)
  var directory: String?

  @Option(
    help: ArgumentHelp(
      "The highest rating in beets, which becomes 100; higher ones become beets_rating.", valueName: "number"))
  var ratingScale: Double = 100

  @Flag(help: "Show what would be imported without changing anything.")
  var dryRun = false

  func validate() throws {
    guard ratingScale.isFinite, (1...1_000).contains(ratingScale) else {
      throw ValidationError("--rating-scale takes a number from 1 to 1000")
    }
  }

  func run() throws {
    let folder = try directory.map { try InputFile.resolved(BytePath(argument: $0)) }
    let beets = try BeetsLibrary(at: BytePath(argument: beets))
    let result = try library.writing(dryRun ? .readOnly : .readWrite) { store in
      try store.attributes.importBeets(beets, folder: folder, ratingScale: ratingScale, isDryRun: dryRun)
    }
    if document.isWanted { return try document.write(result.json) }
    if !output.quiet {
      try StandardOutput.line(
        "\(result.foundCount) of \(NumberText.count(result.itemCount, "item")) found, "
          + "\(NumberText.count(result.attributeCount, "attribute")), "
          + NumberText.count(result.addedDateCount, "older date")
          + differentText(result.differences.count)
      )
    }
    list(result.differences.map { "\($0.path.displayString): \($0.name) '\($0.kept)' is kept, '\($0.other)' in beets" })
    list(result.missing.map { "not in the library: \($0.path.displayString)" })
    if ratingScale == 100, let greatest = result.greatestRating, greatest > 0, greatest <= 5 {
      StandardError.line(
        "the highest rating in beets is \(NumberText.short(greatest)), but ratings here go to 100; "
          + "--rating-scale \(greatest > 1 ? "5 treats them as stars" : "1 treats 1 as the highest")")
    }
  }

  private func differentText(_ count: Int) -> String {
    switch count {
    case 0: ""
    case 1: ", 1 different, not imported"
    default: ", \(count) different, not imported"
    }
  }

  private func list(_ lines: [String]) {
    let shown = output.verbose ? lines.count : 10
    for line in lines.prefix(shown) { StandardError.line(TerminalText.escaped(line)) }
    if lines.count > shown { StandardError.line("… and \(lines.count - shown) more; -v shows all") }
  }
}

extension BeetsImport {
  /// `import --json`; programs rely on the keys.
  fileprivate var json: JSONValue {
    .object([
      "schema": .integer(1), "items": .integer(itemCount), "found": .integer(foundCount),
      "attributes": .integer(attributeCount), "dates": .integer(addedDateCount),
      "different": .array(
        differences.map {
          .object(
            JSONValue.path($0.path) + [
              .init("name", .string($0.name)), .init("kept", .string($0.kept)), .init("beets", .string($0.other)),
            ])
        }),
      "not_found": .array(missing.map { .object(JSONValue.path($0.path)) }),
    ])
  }
}
