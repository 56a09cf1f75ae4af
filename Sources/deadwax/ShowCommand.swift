internal import ArgumentParser
internal import MediaModel
internal import MediaStore

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show all that is known of one track, with its waveform and spectrum.",
    discussion: "TRACK is an id, the path of a file, or a query that finds exactly one track.")

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Argument(help: ArgumentHelp("The track.", valueName: "track"))
  var words: [String]

  func run() throws {
    try library.reading { store in
      let track = try store.resolveTrack(BytePath(argument: words.joined(separator: " ")))
      guard let detail = try store.detail(ofRecording: track.recordingID, preferring: track.files.first) else {
        throw TrackError.noTrack(id: track.recordingID)
      }
      if document.isWanted {
        try document.write(TrackDocument.json(detail))
      } else {
        try StandardOutput.write(TrackDocument.text(detail, heading: track))
        try StandardOutput.write(pictures(of: track, in: store))
      }
    }
  }

  /// Drawings are an extra: one that cannot be made is told, and the numbers are shown all the same.
  private func pictures(of track: TrackReference, in store: MediaStore) -> String {
    do {
      return try TrackPictures.drawings(
        of: track, in: store, width: Terminal.width, capabilities: output.capabilities)
    } catch {
      StandardError.line(TerminalText.escaped("cannot draw track \(track.recordingID): \(error)"))
      return ""
    }
  }
}
