internal import ArgumentParser
internal import Base
internal import Foundation
internal import Glibc
internal import MediaServer
internal import MediaStore
internal import WebRequests

/// `deadwax serve`: the page and the HTTP API.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show and play the library in a browser.",
    discussion: """
      Prints the address of the page and serves it until Ctrl-C or SIGTERM; docs/api.md describes the HTTP API behind it. \
      Other commands may scan and change the library meanwhile.

      By default only this computer can reach it. With --host 0.0.0.0 others can, who need the token in the printed \
      address; it is kept in deadwax/serve-token in the user's state folder. Without TLS it can be read on the way, and \
      browsers play with fewer functions: give --certificate and --key, or put a proxy with TLS in front, whose name \
      --name makes known. A certificate is read once, at the start.

      Players that speak OpenSubsonic (Symfonium, Feishin, DSub, Strawberry) connect to the same address with a password \
      of `serve user add`.

      Examples: deadwax serve --open
                deadwax serve --host 0.0.0.0 --certificate chain.pem --key key.pem
      """,
    subcommands: [ServeUserCommand.self])

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("The address to listen at; 0.0.0.0 for all.", valueName: "address"))
  var host = "127.0.0.1"

  @Option(help: ArgumentHelp("The port; 0 for any free one.", valueName: "n"))
  var port = 4646

  @Option(
    help: ArgumentHelp("Another name under which browsers come here; may be repeated.", valueName: "host"))
  var name: [String] = []

  @Option(
    help: ArgumentHelp("Serve by TLS with the certificate (PEM, followed by its chain) in a file.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(help: ArgumentHelp("The private key (PEM) of the certificate.", valueName: "file"), completion: .file())
  var key: String?
  @Option(help: ArgumentHelp("How many tracks may be encoded for listeners at once, 1 to 64.", valueName: "n"))
  var streams = 8

  @Option(
    help: ArgumentHelp("The sound device for players that may use the jukebox, by ALSA's name.", valueName: "name"))
  var device = "default"

  @Option(
    help: ArgumentHelp(
      "Where to tell what people hear who have given a token (`serve user listenbrainz`).", valueName: "url"))
  var listenbrainzURL = "https://api.listenbrainz.org"

  @Flag(help: "Open the page in the browser.")
  var open = false

  @Flag(help: "Let everybody in who reaches the address, without a token.")
  var insecure = false

  @Option(help: ArgumentHelp("Take the files of the page from a folder.", visibility: .hidden), completion: .directory)
  var page: String?

  @OptionGroup var cache: CacheOptions
  @OptionGroup var workers: WorkerOptions

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535, not \(port)") }
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key are given together")
    }
    try ValidationError.require("streams", streams, in: 1...64)
    guard WebRequest(url: listenbrainzURL).host != nil else {
      throw ValidationError("--listenbrainz-url takes an address that begins with https:// or http://")
    }
  }

  func run() throws {
    ServerMemory.bound()
    let certificate = try storedCertificate()
    let access = try LibraryAccess(at: library.path(), canWrite: try isWritable())
    let token = isLoopback || insecure ? nil : try ServeToken.stored(needsTLS: certificate != nil)
    let accounts = try? ServeUserCommand.file(makingFolder: false)
    let service = LibraryService(
      access, cache: try cache.makeCache(ofByteCount: ServerMemory.segmentCacheByteCount),
      decoderLimit: max(2, ProcessInfo.processInfo.activeProcessorCount),
      streamLimit: streams, scanWorkers: workers.configuration, token: token,
      accounts: accounts, device: device, scrobbler: try accounts.map(scrobbler))
    let server = LibraryServer(
      service,
      options: ServerOptions(
        host: host, port: port, names: Set((name + ownNames).map { $0.lowercased() }),
        pageFolder: page.map { BytePath(argument: $0) }, certificate: certificate))
    raiseDescriptorLimit()
    let stop = try StopSignal.catchingSignals()
    try server.run(until: stop) { port in
      let address =
        "\(certificate == nil ? "http" : "https")://\(shownHost):\(port)/" + (token.map { "#token=\($0.text)" } ?? "")
      try StandardOutput.line(address)
      try StandardOutput.flush()
      if !isLoopback, certificate == nil, !output.quiet {
        StandardError.line(
          "others can reach this server; without TLS (--certificate), what is sent can be read on the way")
      }
      if open { Self.show(address) }
    }
    if let signal = stop.number { throw ExitCode(128 + signal) }
  }

  private func storedCertificate() throws -> ServerCertificate? {
    guard let certificate, let key else { return nil }
    let (chainPath, keyPath) = (BytePath(argument: certificate), BytePath(argument: key))
    return try ServerCertificate(
      chain: InputFile.bytes(of: chainPath, limit: 1 << 20), from: chainPath,
      key: InputFile.bytes(of: keyPath, limit: 1 << 20), from: keyPath)
  }

  private func scrobbler(_ accounts: AccountFile) throws -> Scrobbler {
    Scrobbler(
      accounts, queue: try ServeUserCommand.listenQueue(),
      client: ListenBrainzClient(address: listenbrainzURL, version: Deadwax.version)
    ) { StandardError.line(TerminalText.escaped($0)) }
  }

  /// Opens the library once for writing, so that an older one is migrated.
  private func isWritable() throws -> Bool {
    do {
      try library.open(.readWrite).close()
      return true
    } catch StoreError.readOnly {
      return false
    }
  }

  /// Each connection needs a descriptor; the usual limit is 1,024.
  private func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
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

  /// The page is of use without a browser of this desktop, so a failure is only told.
  private static func show(_ address: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xdg-open", address]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { StandardError.line("cannot open a browser: open \(address) yourself") }
  }
}
