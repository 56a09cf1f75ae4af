internal import ArgumentParser

/// `deadwax roots`: the folders that are scanned.
struct RootsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roots",
    abstract: "List, add, remove or relocate the folders of the library.",
    discussion: """
      Examples: deadwax roots
                deadwax roots add ~/Music
                deadwax roots relocate /mnt/old/Music /srv/music
      """,
    subcommands: [List.self, Add.self, Remove.self, Relocate.self],
    defaultSubcommand: List.self)
}
