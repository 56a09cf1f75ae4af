internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// `deadwax preset on` and `deadwax preset off`.
struct PresetSwitchOptions: ParsableArguments {
  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var target: PresetTargetOptions

  func run(on isOn: Bool) throws {
    let (subjects, count) = try library.writing { store in
      let subjects = try target.subjects(in: store)
      return (subjects, try store.switchPresets(on: isOn, for: subjects))
    }
    let rest = count == subjects.count ? "" : " (\(subjects.count - count) already were)"
    try output.tell("switched \(isOn ? "on" : "off"): \(PresetTargetOptions.text(subjects))\(rest)")
  }
}
