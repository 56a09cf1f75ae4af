internal import ArgumentParser
internal import MediaModel
internal import MediaStore

struct PresetUnassignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unassign",
    abstract: "Take the preset from tracks, albums, artists or the library.",
    discussion: """
      Takes away what was assigned to just these; what they inherit stays. To hear tracks without any preset, switch them \
      off with `preset off`. \(QueryHelp.short)
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var target: PresetTargetOptions

  func run() throws {
    let (subjects, count) = try library.writing { store in
      let subjects = try target.subjects(in: store)
      return (subjects, try store.unassignPresets(of: subjects))
    }
    try output.tell("unassigned \(count) of \(PresetTargetOptions.text(subjects))")
  }
}
