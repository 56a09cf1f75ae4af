internal import ArgumentParser
internal import MediaModel
internal import MediaPlaying
internal import MediaRendering
internal import MediaStore
internal import UserData

/// How loud tracks are played, through which preset, and in which order.
struct PlayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The preset for all tracks: a name, a preset file of Deadwax (.json), or none (default: that of each track).",
      valueName: "name"), completion: Completions.presets)
  var preset: String?

  @Option(
    help: """
      Make tracks, or albums, equally loud by their measured loudness, like ReplayGain; true peaks stay below full \
      scale. off leaves all samples unchanged.
      """)
  var gain = LoudnessLevelling.track

  @Option(
    help: ArgumentHelp("The volume, 0 to 100 (default: 100, or the last one with --resume).", valueName: "percent"))
  var volume: Int?

  @Flag(help: "Play in random order.")
  var shuffle = false

  @Option(help: "Repeat mode: off, all or one.")
  var `repeat` = PlayQueue.Repetition.off

  @Option(
    help: ArgumentHelp("Start position in the first track, in seconds or M:SS.", valueName: "position"))
  var from: SecondsArgument?

  @Option(
    help: ArgumentHelp(
      "How each track leads to the next: gapless, silence (short silences) or smart (fades that suit both).",
      valueName: "style"))
  var transitions: TransitionStyle?

  @Flag(help: "With --transitions, print how each track leads to the next, and why.")
  var explain = false

  func validate() throws {
    try ValidationError.require("volume", volume, in: 0...100)
    if explain, transitions == nil { throw ValidationError("--explain is for --transitions") }
  }

  /// nil for the preset that applies to each track.
  func chain(in store: MediaStore, of library: LibraryOptions) throws -> EffectChain? {
    preset == "none" ? .neutral : try PresetChoice.chain(preset, in: store, of: library)
  }
}

extension LoudnessLevelling: ExpressibleByArgument {}
extension PlayQueue.Repetition: ExpressibleByArgument {}
