internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import UserData

/// `deadwax rate`: the attribute `rating`.
struct RateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rate",
    abstract: "Rate tracks from 0 to 100, or with 0 to 5 stars.",
    discussion: """
      A rating belongs to the recording, whatever happens to its files. Ratings go from 0 to 100; a star is 20. \
      `rating:>=80` finds tracks with four stars or more. `undo` reverts the latest change. \(QueryHelp.short)

      Examples: deadwax rate 80 'artist:nora album:tides'
                deadwax rate 4.5 --stars 17
                deadwax rate none 'list:evening'
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "The rating is 0 to 5 stars.")
  var stars = false

  @Argument(help: ArgumentHelp("0 to 100, or `none` to remove the rating.", valueName: "rating"))
  var rating: Rating

  @OptionGroup var tracks: TracksArgument

  func validate() throws {
    guard case .value(let number) = rating else { return }
    let most: Double = stars ? 5 : 100
    guard (0...most).contains(number) else {
      throw ValidationError("the rating is 0 to \(stars ? "5 stars" : "100"), not \(NumberText.short(number))")
    }
  }

  func run() throws {
    let value: String? =
      switch rating {
      case .none: nil
      case .value(let number): String(Int((stars ? number * 20 : number).rounded()))
      }
    let (ids, count) = try library.writing { store in
      let ids = try tracks.recordingIDs(in: store)
      return (ids, try store.attributes.set("rating", to: value, ofRecordings: ids))
    }
    try output.tell(AttributeCommand.text(value.map { "rated \($0)" } ?? "unrated", count, of: ids.count))
  }

  enum Rating: ExpressibleByArgument {
    case none
    case value(Double)

    init?(argument: String) {
      if argument == "none" {
        self = .none
      } else if let number = DecimalText.parse(argument) {
        self = .value(number)
      } else {
        return nil
      }
    }
  }
}
