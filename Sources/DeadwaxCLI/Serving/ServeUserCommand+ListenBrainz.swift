internal import ArgumentParser
internal import Base
internal import LibraryServing
internal import Scrobbling

extension ServeUserCommand {
  /// `deadwax serve user listenbrainz`: whose plays are told to ListenBrainz.
  struct ListenBrainz: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "listenbrainz", abstract: "Tell ListenBrainz what a person hears.",
      discussion: """
        The token is on https://listenbrainz.org/settings. It is kept with the passwords, never in the library. Anyone \
        who can read it can write in the name of the person. A running server notices it with the next song. What players and the page \
        say was heard is sent with its artist, title, album, MusicBrainz ids and length; what the service does not take, \
        because it or the network is not there, waits in deadwax/serve-listens in the user's state folder. `serve user ls` \
        says how much that is, and whether the service has refused the token.

        Examples: deadwax serve user listenbrainz ana --token-from token.txt
                  deadwax serve user listenbrainz ana --off
        """)

    @OptionGroup var output: OutputOptions

    @Argument(help: "The name of the person, who has a password.")
    var user: String

    @Option(
      help: ArgumentHelp("Take the token from a file; - for standard input.", valueName: "file"), completion: .file())
    var tokenFrom: String?

    @Flag(help: "Tell nothing any more, and forget the token and what waits.")
    var off = false

    func validate() throws {
      guard (tokenFrom == nil) == off else { throw ValidationError("give either --token-from or --off") }
    }

    func run() throws {
      let token = try tokenFrom.map { path in
        let bytes = try InputFile.bytes(of: BytePath(argument: path), limit: 1 << 20)
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.joined(separator: " ")
      }
      try StateFolder.accounts(makingFolder: true).change { try $0.setListenBrainzToken(token, of: user) }
      if off { try StateFolder.listenQueue().removeAll(of: user) }
      try output.tell(off ? "ListenBrainz is told nothing of \(user)" : "ListenBrainz is told what \(user) hears")
    }
  }
}
