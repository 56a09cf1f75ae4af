internal import ArgumentParser
internal import Base
internal import DecodingService
internal import Foundation
internal import Glibc
internal import HTTPServing
internal import LibraryServing
internal import MediaImport
internal import MediaServer
internal import MediaStore
internal import Scrobbling
internal import WebAPI
internal import WebRequests

/// `deadwax serve`: the page and the HTTP API.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the library to browsers and OpenSubsonic players.",
    discussion: """
      Prints the address of the page and serves it until Ctrl-C or SIGTERM; docs/api.md describes the HTTP API \
      behind it. Other commands can scan and change the library meanwhile.

      Changes (ratings, lists, presets, plays, scans) need the token in the printed address, which the page \
      remembers; it is stored in deadwax/serve-token in the user's state folder. By default only this machine can \
      reach the server, and everyone on it can browse and play the library; --private requires the token for that, \
      too. With --host 0.0.0.0 other machines can connect, and with --name a proxy can; then everything needs the \
      token, or a name and a password, unless --insecure allows browsing and playing without them. Without TLS the token and passwords can be intercepted, and \
      browsers disable some features: pass --certificate and --key, or put a TLS proxy in front and pass its host \
      name with --name. The certificate is read once, at the start.

      Music files are never written, unless --may-write-music allows the owner to do it from the page, as \
      `tags write` and `artwork embed` do: every file is listed first, its audio is verified to stay the same, and \
      the change can be undone (docs/writing-tags.md).

      With the token, the folders of the library can be chosen on the page. It shows only the names of folders below \
      --browse: no files, nothing hidden, nothing behind a link.

      Pages of other sites cannot use the API, unless --allow-origin names their origin: then they can read and play \
      what anyone can at this address, or with the token in the Authorization header. They never get paths, and \
      change nothing.

      If a server of this library is already running, such as the user service, --open opens its page. --create \
      creates an empty library if there is none.

      Other people sign in on the page with a password from `serve user add ana --for browser`. They have their own \
      ratings, plays, lists, queue and presets, and cannot change the owner's.

      OpenSubsonic players (Symfonium, Feishin, DSub, Strawberry) connect to the same address with a password from \
      `serve user add`.

      Examples: deadwax serve --open
                deadwax serve --host 0.0.0.0 --certificate chain.pem --key key.pem
      """,
    subcommands: [ServeUserCommand.self])

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("The address to listen on; 0.0.0.0 for all.", valueName: "address"))
  var host = "127.0.0.1"

  @Option(help: ArgumentHelp("The port; 0 for any free one.", valueName: "n"))
  var port = 4646

  @Option(
    help: ArgumentHelp("Another host name by which browsers reach this server; may be repeated.", valueName: "host"))
  var name: [String] = []

  @Option(
    help: ArgumentHelp(
      "Allow pages of another site to read the API, such as https://music.example; may be repeated.",
      valueName: "origin"))
  var allowOrigin: [String] = []

  @Option(
    help: ArgumentHelp("Serve over TLS with this certificate (PEM, followed by its chain).", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(help: ArgumentHelp("The private key (PEM) of the certificate.", valueName: "file"), completion: .file())
  var key: String?
  @Option(help: ArgumentHelp("Maximum number of tracks encoded at once, 1 to 64.", valueName: "n"))
  var streams = 8

  @Option(
    help: ArgumentHelp("The ALSA name of the sound device for jukebox players.", valueName: "name"))
  var device = "default"

  @Option(
    help: ArgumentHelp(
      "The service that receives the plays of people with a token (`serve user listenbrainz`).", valueName: "url"))
  var listenbrainzURL = "https://api.listenbrainz.org"

  @Flag(help: "Open the page in the browser.")
  var open = false

  @Flag(help: "Create an empty library if there is none.")
  var create = false

  @Flag(help: "Allow everyone who can reach the address to browse and play without the token.")
  var insecure = false

  @Flag(help: "Require the token for browsing and playing on this machine, too.")
  var `private` = false

  @Flag(help: "Allow the page to write tags and covers into music files, with the owner's token.")
  var mayWriteMusic = false

  @Option(
    help: ArgumentHelp(
      "Allow looking for music in this folder from the page, with the owner's token; may be repeated (default: the "
        + "music folder, home, /music, /mnt, /media).", valueName: "folder"),
    completion: .directory, transform: BytePath.init(argument:))
  var browse: [BytePath] = []

  @Option(help: ArgumentHelp("Serve the page's files from a folder.", visibility: .hidden), completion: .directory)
  var page: String?

  @OptionGroup var cache: CacheOptions
  @OptionGroup var workers: WorkerOptions

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535, not \(port)") }
    for text in allowOrigin where AllowedOrigins.origin(text) == nil {
      throw ValidationError(
        "--allow-origin takes an origin such as https://music.example:8443, without a path, not \(text)")
    }
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key must be given together")
    }
    try ValidationError.require("streams", streams, in: 1...64)
    if insecure && `private` { throw ValidationError("--insecure and --private exclude each other") }
    guard WebRequest(url: listenbrainzURL).host != nil else {
      throw ValidationError("--listenbrainz-url takes an address that begins with https:// or http://")
    }
  }

  func run() throws {
    let encryption = try storedEncryption()
    ServerMemory.bound()
    let canWrite = try isWritable()
    let access = try LibraryAccess(at: library.path(), canWrite: canWrite)
    let token = try token(needsTLS: encryption != nil)
    let isReadingFree = insecure || isLoopback && name.isEmpty && !`private`
    let accounts = try? StateFolder.accounts(makingFolder: false)
    let server = LibraryServer(
      access, cache: try cache.makeCache(ofByteCount: ServerMemory.segmentCacheByteCount),
      decoderLimit: max(2, ProcessInfo.processInfo.activeProcessorCount),
      streamLimit: streams, scanWorkers: workers.configuration,
      access: AccessPolicy(token: token, isReadingFree: isReadingFree),
      origins: Set(allowOrigin.compactMap(AllowedOrigins.origin)),
      names: Set((name + ownNames).map { $0.lowercased() }), accounts: accounts,
      sessions: try accounts.map(StateFolder.sessions(of:)), device: device, scrobbler: try accounts.map(scrobbler),
      pictures: PictureCache(folder: StateFolder.covers),
      mayWriteMusic: mayWriteMusic,
      browsableFolders: try foldersToBrowse(),
      pageFolder: page.map { BytePath(argument: $0) })
    let stop = try StopSignal.catchingSignals()
    do {
      try run(server, encryption, until: stop, token)
    } catch ServerError.cannotListen(let host, let port, isTaken: true, let reason) {
      guard open, isLoopback, let running = RunningServer(port: port, library: try library.path()) else {
        throw ServerError.cannotListen(host: host, port: port, isTaken: true, reason: reason)
      }
      let address = address(port: port, token, hasTLS: running.hasTLS)
      try StandardOutput.line(address)
      if !output.quiet { StandardError.line("the server of this library is already running") }
      AddressFile.show(address)
    }
  }

  /// A folder that is not there may be a disk that is mounted later.
  private func foldersToBrowse() throws -> [BytePath] {
    guard !browse.isEmpty else { return UserFolders.likelyToHaveMusic }
    return try browse.map { try ScanFolders.resolvedOrKnown($0) }
  }

  /// Without a place to keep one, it is another one each time.
  private func token(needsTLS: Bool) throws -> AccessToken {
    do {
      return try ServeToken.stored(needsTLS: needsTLS)
    } catch let error as SystemError where [EACCES, EROFS, ENOSPC, EDQUOT].contains(error.code) {
      StandardError.line("\(error); the token in the address is valid for this run only")
      return .random(needsTLS: needsTLS)
    }
  }

  private func address(port: Int, _ token: AccessToken, hasTLS: Bool) -> String {
    "\(hasTLS ? "https" : "http")://\(shownHost):\(port)/#token=\(token.text)"
  }

  private func run(
    _ server: LibraryServer, _ encryption: ServerEncryption?, until stop: StopSignal, _ token: AccessToken
  ) throws {
    let hasTLS = encryption != nil
    let options = ServerOptions(
      host: host, port: port, encryption: encryption, connectionLimit: connectionLimit())
    try server.run(options, until: stop) { port in
      let address = address(port: port, token, hasTLS: hasTLS)
      try StandardOutput.line(address)
      try StandardOutput.flush()
      if !isLoopback, !hasTLS, !output.quiet {
        StandardError.line(
          "other machines can reach this server; without TLS (--certificate), the traffic and the passwords in it can be "
            + "intercepted")
      }
      if open { AddressFile.show(address) }
    }
    if let signal = stop.number { throw ExitCode(128 + signal) }
  }

  private func storedEncryption() throws -> ServerEncryption? {
    guard let certificate, let key else { return nil }
    let (chainPath, keyPath) = (BytePath(argument: certificate), BytePath(argument: key))
    let chain = try InputFile.bytes(of: chainPath, limit: 1 << 20)
    let privateKey = try InputFile.bytes(of: keyPath, limit: 1 << 20)
    guard let encryption = OfferedEncryption.maker else { throw ServerError.noEncryption }
    return try encryption(chain, chainPath, privateKey, keyPath)
  }

  private func scrobbler(_ accounts: AccountFile) throws -> Scrobbler {
    Scrobbler(
      accounts, queue: try StateFolder.listenQueue(),
      client: ListenBrainzClient(address: listenbrainzURL, version: ProgramVersion.current)
    ) { StandardError.line(TerminalText.escaped($0)) }
  }

  /// Opens the library once for writing, so that an older one is migrated, and with `--create` a missing one made.
  private func isWritable() throws -> Bool {
    do {
      try library.open(create ? .createIfMissing : .readWrite).close()
      return true
    } catch StoreError.readOnly {
      return false
    }
  }

  /// Each connection needs a descriptor, and what it asks for some more; the usual limit is 1,024, and may be raised.
  private func connectionLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 500 }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return min(2000, Int(limit.rlim_cur) / 2)
  }

  private var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  private var isEverywhere: Bool { host == "0.0.0.0" || host == "::" }

  private var ownNames: [String] {
    guard !isLoopback else { return [] }
    let own = ProcessInfo.processInfo.hostName
    return isEverywhere ? [own, "\(own).local"] : [host]
  }

  private var shownHost: String {
    if let first = name.first { return first }
    if isEverywhere { return ProcessInfo.processInfo.hostName }
    return host.contains(":") ? "[\(host)]" : host
  }
}
