internal import ArgumentParser

/// `deadwax list`: queries and tracks under a name.
struct ListsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Keep queries and playlists under a name, and write them as playlists.",
    discussion: """
      A saved query is asked anew each time it is used; an imported playlist is a list of given tracks. Either belongs to the \
      sound of its tracks: files may be moved and renamed.

      Examples: deadwax list save quiet 'lufs:<-20'
                deadwax list import party.m3u8
                deadwax list export quiet -o quiet.m3u8
      """,
    subcommands: [Save.self, List.self, Export.self, Import.self, Delete.self], defaultSubcommand: List.self)
}
