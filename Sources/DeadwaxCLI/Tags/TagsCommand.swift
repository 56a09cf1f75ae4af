internal import ArgumentParser

/// `deadwax tags`: what files say about themselves.
struct TagsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags",
    abstract: "Write tags into files, and take that back.",
    discussion: """
      Only `tags write`, `tags undo`, `artwork embed` and `artwork remove` write music files, and only those that they \
      list first. docs/writing-tags.md says how.

      Examples: deadwax tags write --replaygain 'album:tides'
                deadwax tags write --replaygain 'album:tides' --yes
                deadwax tags undo
      """,
    subcommands: [TagsWriteCommand.self, TagsUndoCommand.self])
}
