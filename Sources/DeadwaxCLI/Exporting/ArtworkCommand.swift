internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering

/// `deadwax artwork`: a picture from the tags of a track.
struct ArtworkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "artwork",
    abstract: "Write a picture that is in the tags of a track.",
    discussion: """
      Without --index it is the front cover, else the first picture. The picture is written as it is; its bytes, not \
      its tag, say of which type it is. In a folder (-o DIR) it is called cover.jpg, back.png and so on.

      Examples: deadwax artwork 17 -o cover.jpg
                deadwax artwork 17 --list
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions
  @OptionGroup var existing: OverwriteOption

  @Argument(help: ArgumentHelp("The track: an id, a path, or a query that finds exactly one.", valueName: "track"))
  var words: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file or folder to write; `-` is standard output.", valueName: "file"), completion: .file())
  var file: String?

  @Option(help: ArgumentHelp("Which picture, counted from 1 as in --list.", valueName: "n"))
  var index: Int?

  @Flag(help: "List the pictures instead.")
  var list = false

  func validate() throws {
    if list != (file == nil) { throw ValidationError("-o FILE writes a picture, --list shows what there is") }
    if list, index != nil { throw ValidationError("--index needs -o") }
    if document.isWanted, !list { throw ValidationError("--json and --jsonl need --list") }
  }

  func run() throws {
    let (track, pictures) = try library.reading { store in
      let track = try store.tracks.resolve(BytePath(argument: words.joined(separator: " ")))
      return (
        track, try store.files.tagsAndArtwork(ofRecording: track.recordingID, preferring: track.files.first).artwork
      )
    }
    if list { return try show(pictures) }
    guard !pictures.isEmpty else { throw RenderingError.noArtwork(track.files.first) }
    try write(try chosen(pictures), inputs: track.files)
  }

  private func chosen(_ pictures: [Artwork]) throws -> Artwork {
    guard let index else { return pictures.first { $0.pictureType == 3 } ?? pictures[0] }
    guard pictures.indices.contains(index - 1) else {
      throw ValidationError("--index takes 1 to \(pictures.count): the track has so many pictures")
    }
    return pictures[index - 1]
  }

  private func write(_ picture: Artwork, inputs: [BytePath]) throws {
    let file = file ?? "-"
    guard file != "-" else {
      if StandardOutput.isTerminal { throw ValidationError("a picture cannot be shown in a terminal; name a file") }
      return try StandardOutput.write(bytes: picture.bytes)
    }
    let folder = OutputFolder.named(file)
    if let folder { try OutputFolder.make(folder) }
    let path = try folder?.appending(BytePath(picture.fileName)) ?? named(BytePath(argument: file), picture)
    try OutputFile(path, replaces: existing.overwrite).write(
      picture.bytes, protecting: inputs + library.protectedFiles(among: [path]))
    if folder != nil { try output.tell(path.displayString) }
  }

  /// Refuses an extension of another type.
  private func named(_ path: BytePath, _ picture: Artwork) throws -> BytePath {
    let ending = path.pathExtension
    if let endings = picture.fileExtensions, !ending.isEmpty, !endings.contains(ending) {
      throw ValidationError(
        "the picture is \(picture.mimeType): name the file \(path.stem.displayString).\(endings[0])")
    }
    return path
  }

  private func show(_ pictures: [Artwork]) throws {
    if document.isWanted {
      let items = pictures.enumerated().map { index, picture in
        JSONValue.object([
          .init("index", .integer(index + 1)), .init("type", .integer(picture.pictureType)),
          .init("kind", .string(picture.kind)), .init("mime_type", .string(picture.mimeType)),
          .init("bytes", .integer(picture.bytes.count)), .init("caption", .string(picture.caption)),
        ])
      }
      return try document.write(items, under: "artwork")
    }
    var table = TextTable([
      .init(title: "INDEX", isAlignedRight: true), .init(title: "KIND"), .init(title: "TYPE"),
      .init(title: "SIZE", isAlignedRight: true), .init(title: "CAPTION"),
    ])
    for (index, picture) in pictures.enumerated() {
      try table.add([
        String(index + 1), picture.kind, picture.mimeType, NumberText.size(Int64(picture.bytes.count)), picture.caption,
      ])
    }
    try table.finish()
    if pictures.isEmpty { output.tellNothing("the tags of the track have no picture") }
  }
}

extension Artwork {
  /// What it shows: the picture types of ID3v2 (section 4.14 of its frames) as one word.
  fileprivate var kind: String {
    let kinds = [
      "other", "icon", "other-icon", "cover", "back", "leaflet", "media", "lead-artist", "artist", "conductor", "band",
      "composer", "lyricist", "location", "recording", "performance", "screen", "fish", "illustration", "logo",
      "publisher",
    ]
    return kinds.indices.contains(pictureType) ? kinds[pictureType] : kinds[0]
  }

  /// The usual one first; nil for a type that has no usual one.
  fileprivate var fileExtensions: [String]? {
    switch mimeType {
    case "image/jpeg": ["jpg", "jpeg", "jfif"]
    case "image/png": ["png"]
    case "image/gif": ["gif"]
    case "image/webp": ["webp"]
    case "image/bmp": ["bmp"]
    case "image/tiff": ["tif", "tiff"]
    case "image/avif": ["avif"]
    case "image/heic": ["heic"]
    case "image/svg+xml": ["svg"]
    default: nil
    }
  }

  fileprivate var fileName: String { kind + (fileExtensions.map { "." + $0[0] } ?? "") }
}
