internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaDrawing
internal import MediaModel
internal import MediaRendering
internal import SoundIndex

/// `deadwax map`: the library on a plane.
struct MapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Draw the library as a map on which similar tracks are neighbours.",
    discussion: """
      Each track is a point; the axes are the two directions in which the library's sounds differ most, and the \
      colour shows the tempo. With a query, only matching tracks are drawn, at the same positions; if there are \
      none, no picture is written. json lists the tracks with their positions, 0 to 1 from the left and from the \
      top.

      Examples: deadwax map -o library.png
                deadwax map --format json 'genre:jazz'
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions

  @Option(name: .shortAndLong, help: ArgumentHelp("Width of the picture in pixels.", valueName: "pixels"))
  var width = 1_200

  @Option(help: ArgumentHelp("Height of the picture in pixels.", valueName: "pixels"))
  var height = 900

  @OptionGroup var query: QueryArgument

  private static let formats = PictureFormat.allCases.map(\.rawValue) + ["json"]

  func validate() throws {
    try file.requireFile()
    try file.require(Self.formats)
    if file.resolvedFormat == nil { throw ValidationError("name a file with -o, or a format with --format") }
    try ValidationError.require("width", width, in: PictureSize.sides)
    try ValidationError.require("height", height, in: PictureSize.sides)
  }

  func run() throws {
    let protected = try library.protectedFiles(for: file.output)
    var remark: String?
    let bytes: [UInt8]? = try library.reading { store in
      let similarity = try LibrarySimilarity(store)
      let places = SoundMap(similarity.matrix).points
      let allowed = try query.recordingIDs(in: store, remarkingTo: output)
      let tracks = zip(try store.tracks.compared(similarity.matrix.hashes), places).compactMap { track, place in
        track.flatMap { allowed?.contains($0.recordingID) ?? $0.isPresent ? ($0, place) : nil }
      }
      if tracks.isEmpty { remark = Self.remark(isEmpty: similarity.matrix.count == 0) }
      guard let format = file.resolvedFormat.flatMap(PictureFormat.init(rawValue:)) else {
        return Array((Self.document(tracks).text + "\n").utf8)
      }
      guard !tracks.isEmpty else { return nil }
      var picture = SoundMapPicture(
        size: try PictureSize(width: width, height: height),
        points: tracks.map { .init(x: $1.x, y: $1.y, beatsPerMinute: $0.beatsPerMinute) })
      picture.title = "\(NumberText.count(tracks.count, "track")) by their sound"
      return try picture.bytes(as: format)
    }
    if let bytes { try file.write(bytes, protecting: protected) }
    if let remark, !output.quiet { StandardError.line(remark + (bytes == nil ? "; no picture was written" : "")) }
  }

  /// Why there is nothing on the map.
  ///
  /// - Parameter isEmpty: Whether no recording of the library can be compared.
  private static func remark(isEmpty: Bool) -> String {
    isEmpty
      ? "the map is empty: no track has been compared by sound; `deadwax reanalyze --missing` does that"
      : "the map is empty: no matching track has been compared by sound"
  }

  private static func document(_ tracks: [(ComparedTrack, SoundMap.Point)]) -> JSONValue {
    .object([
      "schema": .integer(1),
      "tracks": .array(
        tracks.map { track, place in
          track.json().preceded(by: [.init("x", .number(place.x)), .init("y", .number(place.y))])
        }),
    ])
  }
}
