internal import ArgumentParser
internal import MediaModel
internal import MediaStore

struct PresetAssignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assign",
    abstract: "Assign a preset to tracks, to their albums or artists, or to the library.",
    discussion: """
      What was assigned before is replaced. Numbers are ids of tracks, paths those of their files; all other words are one \
      query. \(QueryHelp.short)

      Examples: deadwax preset assign Warm 'artist:nora year:..1975'
                deadwax preset assign Voice --album 'genre:audiobook'
                deadwax preset assign Flat --default
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  @OptionGroup var target: PresetTargetOptions

  func run() throws {
    let (preset, subjects, count) = try library.writing { store in
      let preset = try store.preset(named: name)
      let subjects = try target.subjects(in: store)
      return (preset, subjects, try store.assignPreset(named: preset.name.text, to: subjects))
    }
    let rest = count == subjects.count ? "" : " (\(subjects.count - count) had it already)"
    try output.tell("\(preset.name) assigned to \(PresetTargetOptions.text(subjects))\(rest)")
  }
}
