internal import ArgumentParser
internal import Foundation
internal import MediaExport
internal import MediaModel

/// What is said of many tracks at once.
struct BatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      How files in a folder are named: fields of `ls` in braces, {stem} for the name of the audio file, {track:02} for two \
      digits (default: '{artist} - {title}').
      """,
      valueName: "template"))
  var name: String?

  @Option(
    name: .letter("j"),
    help: ArgumentHelp("Tracks that are worked on at once (default: one for each core).", valueName: "n"))
  var jobs: Int?

  func validate() throws {
    try ValidationError.require("jobs", jobs, in: 1...1024)
    do throws(ExportError) {
      _ = try template
    } catch {
      throw ValidationError("--name: \(error)")
    }
  }

  /// Refuses what is said of many files where there is one.
  func requireFolder(_ folder: BytePath?) throws {
    guard folder == nil else { return }
    if name != nil { throw ValidationError("--name names files in a folder; give one with -o, with / at its end") }
    if jobs != nil { throw ValidationError("-j is for the files of a folder; give one with -o, with / at its end") }
  }

  var template: FileNameTemplate { get throws(ExportError) { try FileNameTemplate(name ?? "{artist} - {title}") } }

  var jobCount: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }
}
