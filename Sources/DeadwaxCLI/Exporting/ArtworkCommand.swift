internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaDrawing
internal import MediaModel
internal import MediaRendering
internal import MediaStore

/// `deadwax artwork`: the cover of a track or an album, and the other pictures that it has.
struct ArtworkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "artwork",
    abstract: "Show where covers come from; export, choose or embed them.",
    discussion: """
      `deadwax artwork TRACK` is short for `deadwax artwork of TRACK`.

      Examples: deadwax artwork 17
                deadwax artwork 17 -o cover.jpg
                deadwax artwork album:="Slow Tide" --choose scan.png
                deadwax artwork embed 'album:tides'
      """,
    subcommands: [Of.self, Embed.self, Remove.self], defaultSubcommand: Of.self)
}

extension ArtworkCommand {
  /// `deadwax artwork of`: the pictures of one track or album.
  struct Of: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "of",
      abstract: "Show where the cover of a track or an album is from, write it, or choose it.",
      discussion: """
        The cover is the first of these that exists: the picture chosen with --choose; cover, folder, front or album \
        with .jpg, .png, .webp … next to the file (in the disc's folder before the album's); the front cover in its \
        tags; the cover of its album; any other picture. Without a picture it is engraved from the sound of the \
        album, as PNG or SVG.

        Pictures are written unchanged; their type is determined by their content, not their tags. In a folder (-o \
        DIR) pictures are named cover.jpg, back.png and so on.

        Without an option, or with --list, the pictures of the track are listed; the one with a `*` is the cover.

        Examples: deadwax artwork 17
                  deadwax artwork 17 -o cover.jpg
                  deadwax artwork album:="Slow Tide" --choose scan.png
                  deadwax artwork album-id:4 --engraved --size 800 -o rings.svg
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions
    @OptionGroup var existing: OverwriteOption

    @Argument(
      help: ArgumentHelp(
        "The track: an id, a path, or a query that finds one track, or tracks of one album.", valueName: "track"))
    var words: [String]

    @Option(
      name: [.customShort("o"), .customLong("output")],
      help: ArgumentHelp("The file or folder to write; `-` is standard output.", valueName: "file"), completion: .file()
    )
    var file: String?

    @Option(help: ArgumentHelp("Number of the picture in --list, from 1.", valueName: "n"))
    var index: Int?

    @Flag(help: "List the pictures; implied without other options.")
    var list = false

    @Flag(help: "Write the cover engraved from the sound, even if there are pictures.")
    var engraved = false

    @Option(
      help: ArgumentHelp("Width and height of an engraved cover in pixels (default: 512).", valueName: "px"))
    var size: Int?

    @Option(help: "Background of an engraved cover (default: dark).")
    var ground: EngravedCover.Ground?

    @Option(
      help: ArgumentHelp(
        "Use a picture as the album's cover: a file, or its number in --list.", valueName: "picture"),
      completion: .file())
    var choose: String?

    @Flag(help: "Forget the chosen picture.")
    var forget = false

    func validate() throws {
      guard [list, file != nil, choose != nil, forget].count(where: { $0 }) <= 1 else {
        throw ValidationError("-o, --list, --choose and --forget exclude each other")
      }
      if file == nil, index != nil || engraved { throw ValidationError("--index and --engraved need -o") }
      if index != nil, engraved { throw ValidationError("--index and --engraved exclude each other") }
      if file == nil, size != nil || ground != nil || existing.overwrite {
        throw ValidationError("--size, --ground and --overwrite need -o")
      }
      if document.isWanted, file != nil || choose != nil || forget {
        throw ValidationError("--json and --jsonl are for lists")
      }
      if let size { try ValidationError.require("size", size, in: EngravedCover.sides) }
    }

    func run() throws {
      if choose != nil || forget { return try library.writing { try change(in: $0) } }
      if file == nil { return try library.reading { try show(pictures(of: subject(in: $0), in: $0)) } }
      let (written, inputs) = try library.reading { store in
        let subject = try subject(in: store)
        return (try cover(of: subject, in: store), subject.track.files)
      }
      try write(written, inputs: inputs)
    }

    /// A file of the track that is meant: a recording can be on several albums, each with a cover.
    struct Subject {
      var track: TrackReference
      var fileID: Int64
      /// If all of it is meant, and not a track.
      var album: Album?
    }

    /// A query that finds several tracks means their album, if they are of one.
    func subject(in store: MediaStore) throws -> Subject {
      let text = words.joined(separator: " ")
      do {
        let track = try store.tracks.resolve(BytePath(argument: text))
        guard let file = track.fileDetails.first?.id else { throw RenderingError.noArtwork(nil) }
        return Subject(track: track, fileID: file)
      } catch TrackError.ambiguous(let name, let count, let examples) {
        let (albums, total) = try store.albums.all(of: try store.query(text), orderedBy: .artist, limit: 1)
        guard total == 1, let album = albums.first, !album.title.isEmpty,
          let recording = try store.albums.firstRecordings(of: [album.id])[album.id],
          let file = try store.albums.firstFile(of: album.id)
        else { throw TrackError.ambiguous(name, count: count, examples: examples) }
        return Subject(
          track: try store.tracks.resolve(BytePath(argument: "\(recording)")), fileID: file, album: album)
      }
    }

    // MARK: - Writing

    /// A picture and what it is called in a folder.
    private struct Written {
      var bytes: [UInt8]
      var stem: String
      var mimeType: String
    }

    private func cover(of subject: Subject, in store: MediaStore) throws -> Written {
      let track = subject.track
      if engraved { return try engraving(of: subject, in: store) }
      let picture: StoredPicture?
      if let index {
        let pictures = try pictures(of: subject, in: store).map(\.picture)
        guard pictures.indices.contains(index - 1) else {
          guard !pictures.isEmpty else { throw RenderingError.noArtwork(track.files.first) }
          throw ValidationError("--index takes 1 to \(pictures.count): the track has \(pictures.count)")
        }
        picture = pictures[index - 1]
      } else {
        picture = try shownCover(of: subject, in: store)
      }
      guard let picture else { return try engraving(of: subject, in: store) }
      guard let bytes = try store.pictures.bytes(of: picture) else {
        throw picture.path.map(RenderingError.pictureGone) ?? RenderingError.noArtwork(track.files.first)
      }
      let type = PictureMediaType.name(ofPictureThatBegins: bytes) ?? picture.mimeType
      return Written(bytes: bytes, stem: index == nil ? PictureKind.cover : picture.kind, mimeType: type)
    }

    private func engraving(of subject: Subject, in store: MediaStore) throws -> Written {
      let album = try store.albums.id(ofFile: subject.fileID)
      let engraving =
        try album.map { try AlbumEngraving(ofAlbum: $0, in: store) }
        ?? AlbumEngraving(ofRecording: subject.track.recordingID, in: store)
      guard let cover = try engraving?.cover(side: size ?? 512, ground: ground ?? .dark, in: store).cover else {
        throw RenderingError.noArtwork(subject.track.files.first)
      }
      let isVector = file.map { BytePath(argument: $0).pathExtension == "svg" } ?? false
      return Written(
        bytes: try cover.bytes(as: isVector ? .svg : .png, compression: EngravedCover.compression),
        stem: PictureKind.cover,
        mimeType: isVector ? "image/svg+xml" : "image/png")
    }

    private func write(_ picture: Written, inputs: [BytePath]) throws {
      let file = file ?? "-"
      guard file != "-" else {
        if StandardOutput.isTerminal { throw ValidationError("a picture cannot be shown in a terminal; name a file") }
        return try StandardOutput.write(bytes: picture.bytes)
      }
      let endings = PictureKind.fileExtensions(of: picture.mimeType)
      let folder = OutputFolder.named(file)
      if let folder { try OutputFolder.make(folder) }
      let name = BytePath(picture.stem + (endings.map { "." + $0[0] } ?? ""))
      let path = folder?.appending(name) ?? BytePath(argument: file)
      if folder == nil, let endings, !path.pathExtension.isEmpty, !endings.contains(path.pathExtension) {
        throw ValidationError(
          "the picture is \(picture.mimeType): name the file \(path.stem.displayString).\(endings[0])")
      }
      try OutputFile(path, replaces: existing.overwrite).write(
        picture.bytes, protecting: inputs + library.protectedFiles(among: [path]))
      if folder != nil { try output.tell(path.displayString) }
    }

    // MARK: - Listing

    /// A picture that a track has or shows.
    struct Listed {
      var picture: StoredPicture
      var isCover: Bool
      /// `tags` or `beside`; `chosen` or `album` for a cover that the track has neither in its tags nor beside it.
      var source: String
    }

    private func shownCover(of subject: Subject, in store: MediaStore) throws -> StoredPicture? {
      let cover =
        try subject.album.map { try store.pictures.cover(ofAlbum: $0.id) }
        ?? store.pictures.cover(ofFile: subject.fileID)
      return try cover?.asShown(in: store)
    }

    /// Those of a file, or of the files of an album, each once, then the cover if that is another one: the numbers of --index and
    /// --choose.
    func pictures(of subject: Subject, in store: MediaStore) throws -> [Listed] {
      let cover = try shownCover(of: subject, in: store)
      var files = [subject.fileID]
      if let album = subject.album {
        let all = try store.query("album-id:\(album.id) edition+ album-disc+ track+")
        files = try store.fileIDs(of: all, limit: Self.mostFiles)
      }
      var (isFound, known) = (false, Set<ContentHash>())
      var listed: [Listed] = []
      for picture in try files.flatMap({ try store.pictures.all(ofFile: $0) }) {
        guard subject.album == nil || known.insert(picture.hash).inserted else { continue }
        let isCover = !isFound && picture.hash == cover?.hash
        isFound = isFound || isCover
        listed.append(Listed(picture: picture, isCover: isCover, source: picture.source))
      }
      if let cover, !isFound {
        let album =
          try subject.album
          ?? store.albums.id(ofFile: subject.fileID).flatMap { try store.albums.album(id: $0) }
        listed.append(
          Listed(picture: cover, isCover: true, source: album?.coverSource == .chosen ? "chosen" : "album"))
      }
      return listed
    }

    /// Of an album that is listed.
    private static let mostFiles = 500

    private func show(_ pictures: [Listed]) throws {
      if document.isWanted {
        let items = pictures.enumerated().map { index, listed in
          let picture = listed.picture
          return JSONValue.object([
            .init("index", .integer(index + 1)), .init("type", .integer(picture.pictureType)),
            .init("kind", .string(picture.kind)), .init("mime_type", .string(picture.mimeType)),
            .init("bytes", .integer(picture.byteCount)), .init("caption", .string(picture.caption)),
            .init("source", .string(listed.source)), .init("path", .string(picture.path?.displayString)),
            .init("cover", .bool(listed.isCover)),
          ])
        }
        return try document.write(items, under: "artwork")
      }
      var table = TextTable([
        .init(title: "INDEX", isAlignedRight: true), .init(title: ""), .init(title: "KIND"), .init(title: "TYPE"),
        .init(title: "SIZE", isAlignedRight: true), .init(title: "FROM"), .init(title: "CAPTION"),
      ])
      for (index, listed) in pictures.enumerated() {
        let picture = listed.picture
        try table.add([
          String(index + 1), listed.isCover ? "*" : "", picture.kind, picture.mimeType,
          NumberText.size(Int64(picture.byteCount)), listed.source,
          picture.path?.lastComponent.displayString ?? picture.caption,
        ])
      }
      try table.finish()
      if !pictures.contains(where: \.isCover) {
        output.tellNothing(
          (pictures.isEmpty
            ? "there is no picture in the tags or beside the files" : "none of these pictures is the cover")
            + ": the cover is engraved from the sound")
      }
    }
  }
}

extension EngravedCover.Ground: ExpressibleByArgument {}

/// What pictures show, as one word.
enum PictureKind {
  static let cover = "cover"

  /// The picture types of ID3v2 (section 4.14 of its frames).
  fileprivate static let names = [
    "other", "icon", "other-icon", cover, "back", "leaflet", "media", "lead-artist", "artist", "conductor", "band",
    "composer", "lyricist", "location", "recording", "performance", "screen", "fish", "illustration", "logo",
    "publisher",
  ]

  /// The usual one first; nil for a type that has no usual one.
  fileprivate static func fileExtensions(of mimeType: String) -> [String]? {
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
}

extension StoredPicture {
  fileprivate var kind: String {
    guard place == .tags else { return PictureKind.cover }
    return pictureType.flatMap { PictureKind.names.indices.contains($0) ? PictureKind.names[$0] : nil } ?? "other"
  }
}
