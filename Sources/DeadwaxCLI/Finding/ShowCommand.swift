internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaDrawing
internal import MediaModel
internal import MediaRendering
internal import MediaStore

/// `deadwax show`: everything known about one track.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything about one track, with its waveform and spectrum.",
    discussion: """
      TRACK is an id, the path of a file, or a query that finds exactly one track. An id or path followed by #3 is \
      the third chapter of the file, or the third track of its CUE sheet. A file outside the library is analysed on \
      the spot; nothing is stored, and no library is needed.

      The words strong, fair and weak rate the confidence of tempo and key; their percentages are on different \
      scales. Camelot and Open Key are DJ notations for the key. The lines below Analyses list the stored analyses \
      with their sizes and parameters.

      Examples: deadwax show 17
                deadwax show 17#3
                deadwax show ~/Music/tide.flac --json
                deadwax show ./download.mp3 --fingerprint
                deadwax show 17 --beats --bpm-range 88-175
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Flag(help: "Print only the AcoustID fingerprint, as `fpcalc` does.")
  var fingerprint = false

  @Flag(help: "Print only the beats in seconds, one per line, derived from onsets; downbeats are not detected.")
  var beats = false

  @Option(
    help: ArgumentHelp(
      "Double or halve tempi into this range, such as 88-175 (the end at least twice the start).",
      valueName: "from-to"))
  var bpmRange: TempoRange?

  @Argument(help: ArgumentHelp("The track: an id, a path, or a query that finds exactly one.", valueName: "track"))
  var words: [String]

  func validate() throws {
    if fingerprint && beats { throw ValidationError("--fingerprint and --beats exclude each other") }
    if fingerprint && document.isWanted {
      throw ValidationError("--fingerprint and --json exclude each other: the document has the fingerprint")
    }
  }

  func run() throws {
    let word = BytePath(argument: words.joined(separator: " "))
    try library.reading(
      orAnalysing: [word], for: fingerprint ? [.fingerprint] : beats ? [.rhythm] : Set(ProductKind.allCases), output
    ) { store in
      let track = try store.tracks.resolve(word)
      guard
        var detail = try store.tracks.detail(
          ofRecording: track.recordingID, preferring: track.files.first, part: track.part?.part.frames)
      else {
        throw TrackError.noTrack(id: track.recordingID)
      }
      // One file of an album is not the album.
      if store.isTemporary { detail.album = nil }
      if let problem = detail.shardProblem { StandardError.line(TerminalText.escaped(ErrorAdvice.text(of: problem))) }
      if beats { return try printBeats(of: track, detail, in: store) }
      if fingerprint {
        guard track.part == nil else { throw ValidationError("a part has no fingerprint of its own; name the track") }
        guard let text = try fingerprintText(of: detail, in: store) else {
          throw RenderingError.noFingerprint(id: track.recordingID)
        }
        return try StandardOutput.write(text.text)
      }
      let part = try track.part.map {
        ($0, try PartLevels(of: $0, ofRecording: track.recordingID, in: store))
      }
      if document.isWanted {
        try document.write(
          TrackDocument.json(
            detail, part: part, fingerprint: knownFingerprint(of: detail, in: store),
            library: store.isTemporary ? nil : store.path))
      } else {
        let text = TrackDocument.text(
          detail, heading: track, part: part, fingerprint: knownFingerprint(of: detail, in: store),
          tempoRange: bpmRange, isInLibrary: !store.isTemporary)
        try StandardOutput.write(text)
        try StandardOutput.write(pictures(of: track, detail, in: store))
      }
    }
  }

  private func printBeats(of track: TrackReference, _ detail: TrackDetail, in store: MediaStore) throws {
    guard track.part == nil else { throw ValidationError("a part has no beats of its own; name the track") }
    let beats = try TrackBeats(
      ofRecording: track.recordingID, shownTempo: detail.tempoAndKey.beatsPerMinute, in: bpmRange, from: store)
    guard let beats else { throw RenderingError.noTempo(id: track.recordingID) }
    guard !document.isWanted else {
      return try document.write(
        .object([.init("schema", .integer(1)), .init("id", .integer(track.recordingID))] + beats.members))
    }
    for seconds in beats.seconds { try StandardOutput.line(NumberText.decimal(seconds, 3)) }
  }

  private func fingerprintText(of detail: TrackDetail, in store: MediaStore) throws -> FingerprintText? {
    try FingerprintText(
      ofRecording: detail.recording.id, durationInSeconds: detail.recording.format?.durationInSeconds, in: store)
  }

  /// A damaged one is reported, and the rest is shown without it.
  private func knownFingerprint(of detail: TrackDetail, in store: MediaStore) -> FingerprintText? {
    do {
      return try fingerprintText(of: detail, in: store)
    } catch {
      StandardError.line(TerminalText.escaped(ErrorAdvice.text(of: error)))
      return nil
    }
  }

  /// Drawings are an extra: if one fails, the numbers are shown without it.
  private func pictures(of track: TrackReference, _ detail: TrackDetail, in store: MediaStore) -> String {
    do {
      return try drawings(of: track, detail, in: store, capabilities: output.capabilities)
    } catch {
      StandardError.line(TerminalText.escaped("cannot draw track \(track.recordingID): \(ErrorAdvice.text(of: error))"))
      return ""
    }
  }

  /// The stored waveform and spectrum, an empty line before each; no waveform if it is in a shard that cannot be used.
  private func drawings(
    of track: TrackReference, _ detail: TrackDetail, in store: MediaStore, capabilities: TerminalCapabilities
  ) throws -> String {
    var text = ""
    if detail.shardProblem == nil, let product = try store.products.product(.waveform, ofRecording: track.recordingID) {
      var peaks = try WaveformPeaks(datBytes: product.bytes)
      var energy = try store.products.product(.waveformEnergy, ofRecording: track.recordingID).map {
        try WaveformEnergy(blob: $0.bytes)
      }
      if let frames = track.part?.part.frames { (peaks, energy) = (peaks.cut(to: frames), energy?.cut(to: frames)) }
      text += "\n"
      text += TerminalPictures.waveform(
        peaks, energy: energy,
        width: Terminal.width, capabilities: capabilities)
    }
    // That of a part would have to be decoded.
    if track.part == nil, let product = try store.products.product(.spectrum, ofRecording: track.recordingID) {
      text += "\n"
      text += TerminalPictures.spectrum(
        try SpectrumSummary(blob: product.bytes), width: Terminal.width, capabilities: capabilities)
    }
    return text
  }
}
