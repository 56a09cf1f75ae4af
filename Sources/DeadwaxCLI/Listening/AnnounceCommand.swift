internal import ArgumentParser
internal import AudioEncoding
internal import Base
internal import DecodingService
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import MediaStore

/// `deadwax announce`: spoken titles as sound files.
struct AnnounceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "announce",
    abstract: "Speak titles and artists of tracks into sound files.",
    discussion: """
      Uses espeak-ng (Debian package espeak-ng) and speaks each part of the text in the language of its script. \
      Chinese text is spoken from the sort tags (TITLESORT, ARTISTSORT) if they are in another script, and is left \
      out otherwise. An announcement is as loud as its track, mono, and at most 300 characters long. With a folder \
      (-o DIR) a file is written for every matching track. `render --announce` puts announcements between tracks.

      Examples: deadwax announce 17 -o title.wav
                deadwax announce album:tide -o spoken/ --text '{track}: {title}'
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions
  @OptionGroup var existing: OverwriteOption
  @OptionGroup var announcement: AnnouncementOptions
  @OptionGroup var batch: BatchOptions

  @Argument(
    help: ArgumentHelp(
      "The track: an id, a path, or a query that finds exactly one; with a folder, any number of them.",
      valueName: "track"))
  var words: [String] = []

  private static let formats = ["wav", "flac", "ogg", "opus", "mp3"]

  func validate() throws {
    try batch.requireFolder(file.folder)
    if file.folder == nil, words.isEmpty { throw ValidationError("which track? An id, a path or a query") }
    if let format = file.resolvedFormat, !format.isEmpty { try file.require(Self.formats) }
  }

  func run() throws {
    let announcer = try announcement.announcer()
    let word = words.joined(separator: " ")
    let names = (file.folder == nil ? [word] : words).map(BytePath.init(argument:))
    try library.reading(orAnalysing: names, for: [.measures, .loudness], output) { store in
      if let folder = file.folder { return try speakAll(into: folder, announcer, store) }
      let track = try RenderedTrack(
        RecordingSource(try store.tracks.resolve(BytePath(argument: word)), cache: SegmentCache()), in: store,
        withArtwork: false)
      let output = SoundFileOutput(
        kind: kind, file: file, replaces: existing.overwrite,
        inputs: track.source.track.files + (try library.protectedFiles(for: file.output)))
      try output.write { append in
        guard let start = try announcer.write(track, as: kind, append) else { throw Silence(of: track) }
        return ((), start)
      }
    }
  }

  private var kind: SoundFileKind { SoundFileKind(rawValue: file.resolvedFormat ?? "") ?? .wav }

  private func speakAll(into folder: BytePath, _ announcer: Announcer, _ store: MediaStore) throws {
    let run = BatchRun(
      folder: folder, ending: kind.rawValue, batch: batch, output: output, library: library,
      replaces: existing.overwrite)
    try run.writing(over: try store.tracks.query(naming: words), in: store) { item, output in
      let source = RecordingSource(try store.tracks.resolve(item.path), cache: SegmentCache())
      let track = try RenderedTrack(source, in: store, withArtwork: false)
      guard let start = try announcer.write(track, as: kind, { try output.append($0) }) else {
        throw Silence(of: track)
      }
      if !start.isEmpty { try output.replaceStart(with: start) }
    }
  }

  /// No voice reads anything of what is to be said.
  private struct Silence: Error, CustomStringConvertible {
    let description: String

    init(of track: RenderedTrack) {
      let name = track.source.track.title ?? track.source.track.files.first?.stem.displayString ?? ""
      description = "no voice can read '\(name)'; TITLESORT and ARTISTSORT can spell it for speech"
    }
  }
}
