internal import ArgumentParser
internal import Base
internal import LibraryServing
internal import Scrobbling

extension ServeUserCommand {
  /// `deadwax serve user listenbrainz`: whose plays are told to ListenBrainz.
  struct ListenBrainz: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "listenbrainz", abstract: "Scrobble a person's plays to ListenBrainz.",
      discussion: """
        The token is on https://listenbrainz.org/settings. It is stored with the passwords, never in the library. \
        Anyone who can read it can submit plays in the person's name. A running server uses it from the next song \
        on. Plays reported by players and the page are sent with artist, title, album, MusicBrainz ids and length; \
        while the service or the network is down, they are queued in deadwax/serve-listens in the user's state \
        folder. `serve user ls` shows how many are queued, and whether the service has rejected the token.

        Examples: deadwax serve user listenbrainz ana --token-from token.txt
                  deadwax serve user listenbrainz ana --off
        """)

    @OptionGroup var output: OutputOptions

    @Argument(help: "The person, who must have a password.")
    var user: String

    @Option(
      help: ArgumentHelp("Read the token from a file; - for standard input.", valueName: "file"), completion: .file())
    var tokenFrom: String?

    @Flag(help: "Stop scrobbling, and discard the token and queued plays.")
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
      try output.tell(off ? "scrobbling of \(user) is off" : "plays of \(user) are scrobbled to ListenBrainz")
    }
  }
}
