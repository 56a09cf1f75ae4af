internal import ArgumentParser
internal import Base
internal import LibraryServing
internal import Scrobbling

/// `deadwax serve user`: the passwords with which people use the server, in browsers and players.
struct ServeUserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user",
    abstract: "Create, list and revoke passwords for browsers and OpenSubsonic players.",
    discussion: """
      Players such as Symfonium, Feishin, DSub or Strawberry connect to the address of `deadwax serve` with a user \
      name and a password that this command creates: one for each player, so that you can revoke a single one. A \
      password determines what its player may do, and whether it gets tracks through their presets. With the same name \
      and a password people sign in on the page; a session there ends after 90 days, when it is ended in the settings \
      of the page, or when its password is revoked. Passwords are stored in deadwax/serve-users in the user's state folder, never in the library; a running server notices \
      changes at once. docs/opensubsonic.md describes what the server supports.

      Examples: deadwax serve user add ana --for phone
                deadwax serve user add ana --for browser
                deadwax serve user add ana --for kitchen --hears raw --right listen
                deadwax serve user ls
                deadwax serve user listenbrainz ana --token-from token.txt
                deadwax serve user revoke ana --for phone
      """,
    subcommands: [Add.self, List.self, Revoke.self, ListenBrainz.self])
}

extension AccountRight: ExpressibleByArgument {}
extension AccountHearing: ExpressibleByArgument {}
extension ReplayGain: ExpressibleByArgument {}

extension ServeUserCommand {
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Create a password and print it.",
      discussion: """
        Each person has their own stars, ratings, play counts, bookmarks, queue, playlists and presets of tracks in the \
        library. With \
        --owner they share those that the commands use (`rate`, `list`).
        """)

    @OptionGroup var output: OutputOptions

    @Argument(help: "The user name to enter in the player or on the page.")
    var user: String

    @Option(name: .customLong("for"), help: ArgumentHelp("What the password is for.", valueName: "name"))
    var purpose = "any player"

    @Option(help: "Permissions: listen, rate (also stars, playlists and plays) or manage (also scans).")
    var right = AccountRight.rate

    @Option(help: "What a player gets: tracks through their presets, or raw.")
    var hears = AccountHearing.presets

    @Option(help: "ReplayGain to -18 LUFS: off, track or album.")
    var gain = ReplayGain.off

    @Flag(help: "Also allow playing on the server's sound device (see `serve --device`).")
    var jukebox = false

    @Flag(help: "The person is the owner of the library.")
    var owner = false

    func run() throws {
      let account = try StateFolder.accounts(makingFolder: true).change { accounts in
        try accounts.add(
          user: user, purpose: purpose, right: right, hearing: hears, gain: gain, mayUseJukebox: jukebox,
          isOwner: owner)
      }
      try StandardOutput.line(account.password)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the passwords, without the passwords themselves.", aliases: ["list"])

    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions

    func run() throws {
      let accounts = try StateFolder.accounts(makingFolder: false).accounts()
      let waiting = try StateFolder.listenQueue().counts()
      guard !document.isWanted else {
        return try document.write(accounts.all.map { Self.json($0, accounts, waiting) }, under: "passwords")
      }
      var table = TextTable([
        .init(title: "USER"), .init(title: "FOR"), .init(title: "RIGHT"), .init(title: "HEARS"), .init(title: "GAIN"),
        .init(title: "JUKEBOX"), .init(title: "OWNER"), .init(title: "LISTENBRAINZ"), .init(title: "MADE"),
      ])
      for account in accounts.all {
        try table.add([
          account.user, account.purpose, account.right.rawValue, account.hearing.rawValue, account.gain.rawValue,
          account.mayUseJukebox ? "yes" : "no", account.isOwner ? "yes" : "no",
          Self.listenBrainz(account, accounts, waiting), NumberText.moment(account.madeAt),
        ])
      }
      try table.finish()
      if accounts.all.isEmpty { output.tellNothing("no passwords yet; `deadwax serve user add` creates one") }
    }

    /// `on`, `refused, 12 waiting`, or `no`.
    private static func listenBrainz(_ account: Account, _ accounts: Accounts, _ waiting: [String: Int]) -> String {
      guard let token = accounts.listenBrainzToken(of: account.listener) else { return "no" }
      let count = waiting[token.user].map { ", \($0) waiting" } ?? ""
      return (token.isRefused ? "refused" : "on") + count
    }

    private static func json(_ account: Account, _ accounts: Accounts, _ waiting: [String: Int]) -> JSONValue {
      let token = accounts.listenBrainzToken(of: account.listener)
      return .object([
        "user": .string(account.user), "for": .string(account.purpose), "right": .string(account.right.rawValue),
        "hears": .string(account.hearing.rawValue), "gain": .string(account.gain.rawValue),
        "jukebox": .bool(account.mayUseJukebox), "owner": .bool(account.isOwner),
        "listenbrainz": .string(token.map { $0.isRefused ? "refused" : "on" }),
        "listens_waiting": .integer(token.map { waiting[$0.user] ?? 0 }),
        "made_at": .string(Timestamp(secondsSince1970: account.madeAt).description),
      ])
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: "Revoke one password of a person, or all; it stops working at once.",
      discussion: "The person's stars, ratings and playlists stay in the library.")

    @OptionGroup var output: OutputOptions

    @Argument(help: "The name of the person.")
    var user: String

    @Option(name: .customLong("for"), help: ArgumentHelp("Only the password for this.", valueName: "name"))
    var purpose: String?

    func run() throws {
      let (removed, isLast) = try StateFolder.accounts(makingFolder: true).change { accounts in
        let removed = accounts.remove(user: user, purpose: purpose)
        return (removed, !accounts.all.contains { $0.user == user })
      }
      guard !removed.isEmpty else { throw AccountError.noPassword(user: user, purpose: purpose) }
      if isLast { try StateFolder.listenQueue().removeAll(of: user) }
      try output.tell("revoked \(removed.count) password\(removed.count == 1 ? "" : "s") of \(user)")
    }
  }
}
