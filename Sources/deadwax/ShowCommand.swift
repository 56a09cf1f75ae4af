internal import ArgumentParser
internal import MediaModel
internal import MediaStore

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show all that is known of one track, with its waveform and spectrum.",
    discussion: """
      TRACK is an id, the path of a file, or a query that finds exactly one track.

      Examples: deadwax show 17
                deadwax show ~/Music/tide.flac --json
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Flag(help: "Nothing but the AcoustID fingerprint, as `fpcalc` prints it.")
  var fingerprint = false

  @Argument(help: ArgumentHelp("The track.", valueName: "track"))
  var words: [String]

  func validate() throws {
    if fingerprint && document.isWanted {
      throw ValidationError("--fingerprint and --json exclude each other: the document has the fingerprint")
    }
  }

  func run() throws {
    try library.reading { store in
      let track = try store.resolveTrack(BytePath(argument: words.joined(separator: " ")))
      guard let detail = try store.detail(ofRecording: track.recordingID, preferring: track.files.first) else {
        throw TrackError.noTrack(id: track.recordingID)
      }
      if fingerprint {
        guard let text = try fingerprintText(of: detail, in: store) else {
          throw TrackFailure.noFingerprint(id: track.recordingID)
        }
        return try StandardOutput.write(text.text)
      }
      if document.isWanted {
        try document.write(TrackDocument.json(detail, fingerprint: knownFingerprint(of: detail, in: store)))
      } else {
        let text = TrackDocument.text(
          detail, heading: track, fingerprint: knownFingerprint(of: detail, in: store))
        try StandardOutput.write(text)
        try StandardOutput.write(pictures(of: track, in: store))
      }
    }
  }

  private func fingerprintText(of detail: TrackDetail, in store: MediaStore) throws -> FingerprintText? {
    try FingerprintText(
      ofRecording: detail.recording.id, durationInSeconds: detail.recording.format?.durationInSeconds, in: store)
  }

  /// One that is damaged is told, and all else is shown.
  private func knownFingerprint(of detail: TrackDetail, in store: MediaStore) -> FingerprintText? {
    do {
      return try fingerprintText(of: detail, in: store)
    } catch {
      StandardError.line(TerminalText.escaped("\(error)"))
      return nil
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
