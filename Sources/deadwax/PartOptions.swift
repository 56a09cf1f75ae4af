internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// Which part of a track is wanted.
struct PartOptions: ParsableArguments {
  @Option(name: .letter("s"), help: ArgumentHelp("Where to start (0).", valueName: "seconds"))
  var start: SecondsArgument?

  @Option(name: .letter("e"), help: ArgumentHelp("Where to end (the track's end).", valueName: "seconds"))
  var end: SecondsArgument?

  /// Whether less than all was asked for.
  var isGiven: Bool { start != nil || end != nil }

  func validate() throws {
    if let start, let end, end.seconds <= start.seconds { throw ValidationError("--end must be after --start") }
  }

  /// The frames asked for, as far as there are any; nil where there are none.
  ///
  /// - Throws: ``TrackFailure/noSound(_:)``.
  func frames(of track: TrackReference) throws -> Range<Int64>? {
    guard let rate = track.format.sampleRateInHz, let frameCount = track.format.decodedFrameCount, frameCount > 0 else {
      throw TrackFailure.noSound(track.files.first)
    }
    let first = start?.frame(atRateInHz: rate) ?? 0
    let last = min(end?.frame(atRateInHz: rate) ?? frameCount, frameCount)
    return first < last ? first..<last : nil
  }
}
