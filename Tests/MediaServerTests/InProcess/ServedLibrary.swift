import Base
import DecodingService
import Foundation
import LibraryTracks
import MediaModel
import MediaStore
import TestSupport

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer
@testable import OpenSubsonic
@testable import WebAPI

/// A library and a server on it in this process: requests pass through its responder as bytes, without sockets, and routes and
/// methods can also be called below it.
final class ServedLibrary: Sendable {
  /// Who sends a request: whoever knows the token of the address, a browser with the cookie, or anybody.
  enum Caller: CaseIterable {
    case owner, reader, stranger
  }

  let folder: TemporaryFolder
  let server: LibraryServer
  /// The owner's password, which may do everything.
  let account: Account
  /// Where the passwords are.
  let accounts: AccountFile
  /// Where people have signed in.
  let sessions: SessionFile
  let connections = Connections(limit: 100)
  private let responder: Responder
  private let token = AccessToken.random(needsTLS: false)
  /// What must stay as long as the library is served.
  private let music: ScannedMusic?

  /// A library of made-up content, whose files do not exist.
  ///
  /// - Parameter fill: Puts into the library what it holds.
  convenience init(_ fill: (MediaStore) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    try fill(store)
    try store.close()
    try self.init(in: folder)
  }

  /// A copy of a scanned library.
  ///
  /// - Parameters:
  ///   - options: Of the scan.
  ///   - isReadingFree: Whether strangers may read and play.
  ///   - streamLimit: How many tracks may be encoded at once.
  ///   - mayWriteMusic: Whether the owner may write the files, which must be the test's own.
  ///   - origins: Of other sites whose pages may read.
  convenience init(
    of scanned: ScannedMusic, options: [String] = [], isReadingFree: Bool = true, streamLimit: Int = 8,
    mayWriteMusic: Bool = false, origins: Set<String> = []
  ) async throws {
    let folder = try TemporaryFolder()
    try await scanned.copyLibrary(to: folder.appending("library.sqlite"), options)
    try self.init(
      in: folder, of: scanned, isReadingFree: isReadingFree, streamLimit: streamLimit, mayWriteMusic: mayWriteMusic,
      origins: origins)
  }

  /// A copy of the library of another server, which has closed it, that can only be read.
  convenience init(readingOnly other: ServedLibrary) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: other.folder.appending("library.sqlite"), to: folder.appending("library.sqlite"))
    try self.init(in: folder, of: other.music, canWrite: false, mayWriteMusic: true)
  }

  private init(
    in folder: TemporaryFolder, of scanned: ScannedMusic? = nil, isReadingFree: Bool = true, streamLimit: Int = 8,
    canWrite: Bool = true, mayWriteMusic: Bool = false, origins: Set<String> = []
  ) throws {
    WorkerProgram.path = DeadwaxCommand.executable.path
    self.folder = folder
    music = scanned
    accounts = AccountFile(folder.file("serve-users"))
    account = try accounts.change {
      try $0.add(
        user: "ana", purpose: "test", right: .manage, hearing: .raw, gain: .off, mayUseJukebox: true, isOwner: true)
    }
    sessions = SessionFile(folder.file("serve-sessions"), of: accounts)
    server = LibraryServer(
      try LibraryAccess(at: folder.file("library.sqlite"), canWrite: canWrite),
      cache: SegmentCache(capacityInBytes: 1 << 20), decoderLimit: 2, streamLimit: streamLimit,
      scanWorkers: WorkerPool.Configuration(workerCount: 1),
      access: AccessPolicy(token: token, isReadingFree: isReadingFree), origins: origins, accounts: accounts,
      sessions: sessions,
      mayWriteMusic: mayWriteMusic,
      browsableFolders: [folder.file("browse")] + (scanned.map { [BytePath($0.music.path)] } ?? []))
    responder = Responder(
      server.mounts, queues: server.queues, answers: InFlightLimiter(capacity: .max), connections: connections)
  }

  deinit { server.library.close() }

  /// One without tracks, for what is said of all routes and methods.
  private static let empty = Result { try ServedLibrary { _ in } }

  static var routes: [Route] { get throws { try empty.get().server.api.table.routes } }

  static var methods: [String: SubsonicMethod] { get throws { try empty.get().server.subsonic.methods } }

  /// Makes a folder among those that the owner may see.
  func makeFolderToBrowse(_ name: String) throws -> URL {
    let place = folder.appending("browse/\(name)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    return place
  }

  /// The command on the same library, with a home of its own.
  func command() throws -> DeadwaxCommand { try DeadwaxCommand().with(folder.appending("library.sqlite")) }

  /// The recording that a query finds first.
  func track(_ query: String) throws -> Int64 {
    let found = try server.library.reading { try $0.tracks.recordingIDs(naming: [query]).first }
    guard let found else { throw HTTPProblem(404, "\(query) finds nothing") }
    return found
  }

  /// That of the library: it changes with every change.
  func revision() throws -> String { try server.library.reading { try $0.revision() } }

  // MARK: - Through the responder

  /// What a request needs that is sent as bytes.
  var bearer: String { token.text }

  /// What is sent back to a request.
  func ask(
    _ target: String, _ method: String = "GET", as caller: Caller = .owner, headers: [String: String] = [:],
    body: String? = nil
  ) async throws -> HTTPAnswer {
    try await ask(
      target, method, as: caller, headers: headers, bytes: body.map { Array($0.utf8) }, type: MediaType.json.rawValue)
  }

  /// The same with bytes of any type.
  ///
  /// - Parameter address: From which it comes.
  func ask(
    _ target: String, _ method: String, as caller: Caller = .owner, headers: [String: String] = [:],
    bytes: [UInt8]?, type: String, from address: String = "127.0.0.1"
  ) async throws -> HTTPAnswer {
    var fields = ["Host": "127.0.0.1:4646"]
    switch caller {
    case .owner: fields["Authorization"] = "Bearer \(token.text)"
    case .reader: fields["Cookie"] = "\(AccessToken.cookieName)=\(token.readerText)"
    case .stranger: break
    }
    if let bytes { fields.merge(["Content-Type": type, "Content-Length": "\(bytes.count)"]) { $1 } }
    fields.merge(headers) { $1 }
    return try await send(RawRequest(method, target, fields, bytes ?? []).bytes, from: address)
  }

  /// What is sent back to bytes, which must ask for the end of the connection unless the client closes its side.
  func send(
    _ bytes: [UInt8], from address: String = "127.0.0.1", closingItsSideAfter delay: Duration? = nil
  ) async throws -> HTTPAnswer {
    try HTTPAnswer(
      parsing: try await exchange(bytes, from: address, closingItsSideAfter: delay),
      isHead: bytes.starts(with: Array("HEAD ".utf8)))
  }

  /// All bytes that are sent back to some bytes, of which the last must ask for the end of the connection.
  func exchange(
    _ bytes: [UInt8], from address: String = "127.0.0.1", closingItsSideAfter delay: Duration? = nil
  ) async throws -> Data {
    try await InProcessConnection(responder, connections, from: address)
      .answer(to: bytes, closingItsSideAfter: delay)
  }

  // MARK: - Written files

  /// Makes a plan, and waits until it is ready.
  func finishedPlan(_ body: String) async throws -> [String: Any] {
    let made = try await ask("/api/v1/plans", "POST", body: body)
    guard made.status == 202, let id = made.document["id"] as? Int else {
      throw HTTPProblem(made.status, made.text)
    }
    return try await finishedPlan(id)
  }

  /// The document of a plan that has ended what it does.
  func finishedPlan(_ id: Int) async throws -> [String: Any] {
    while true {
      let document = try await ask("/api/v1/plans/\(id)").document
      guard ["planning", "writing", "undoing"].contains(document["state"] as? String) else { return document }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// The token of the printed address.
  var ownerToken: String { token.text }

  // MARK: - OpenSubsonic

  /// Makes a password for somebody.
  func password(_ user: String, _ right: AccountRight = .rate, mayUseJukebox: Bool = false) throws -> Account {
    try accounts.change {
      try $0.add(
        user: user, purpose: "test", right: right, hearing: .presets, gain: .off, mayUseJukebox: mayUseJukebox,
        isOwner: false)
    }
  }

  /// Signs somebody in on the page, with a password that is made for it.
  ///
  /// - Returns: what their browser sends from then on.
  func signIn(_ user: String, _ right: AccountRight = .rate) throws -> [String: String] {
    let secret = try sessions.begin(with: try password(user, right), from: .loopback, browser: "Tests/1")
    return ["Cookie": "\(AccessToken.sessionCookieName)=\(secret)"]
  }

  /// What is sent back to a call of OpenSubsonic by somebody, in JSON.
  ///
  /// - Parameters:
  ///   - parameters: In place of those that every call has; nil leaves one out.
  ///   - account: nil for the owner.
  func call(
    _ method: String, _ parameters: [(name: String, value: String?)], by account: Account? = nil,
    _ verb: String = "GET", headers: [String: String] = [:]
  ) async throws -> HTTPAnswer {
    let account = account ?? self.account
    let usual: [(name: String, value: String?)] = [
      ("u", account.user), ("p", account.password), ("v", "1.16.1"), ("c", "tests"), ("f", "json"),
    ]
    let given = Set(parameters.map(\.name))
    let fields = usual.filter { !given.contains($0.name) } + parameters
    let query = fields.compactMap { field in field.value.map { "\(field.name)=\(Self.encoded($0))" } }
    return try await ask(
      "/rest/\(method)?\(query.joined(separator: "&"))", verb, as: .stranger, headers: headers)
  }

  /// The same with parameters of which some may come several times.
  func call(
    _ method: String, _ parameters: KeyValuePairs<String, String> = [:], by account: Account? = nil
  ) async throws -> HTTPAnswer {
    try await call(method, parameters.map { (name: $0.key, value: $0.value) }, by: account)
  }

  /// A text as a value of a query.
  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  // MARK: - Below the responder

  /// What a route answers; problems are answers, too.
  ///
  /// - Parameters:
  ///   - target: The path below `/api/v1`, and the query.
  ///   - body: A JSON object, or nil.
  func answer(_ method: String, _ target: String, body: String? = nil) throws -> Reply {
    guard let (path, query) = Call.target(target),
      case .route(let route, let values) = server.api.table.match(method, path[...])
    else { throw HTTPProblem(404, "there is no \(target)") }
    var call = Call(method: method, path: Route.prefix + path, query: query)
    call.values = values
    if let body {
      call.headers["content-type"] = route.body == .sound ? "audio/flac" : MediaType.json.rawValue
      call.body = Array(body.utf8)
    }
    do {
      return try route.handle(call).finished()
    } catch {
      return HTTPProblem(error).reply
    }
  }

  /// What a method of OpenSubsonic answers.
  ///
  /// - Parameter form: `xml` or `json`.
  func answer(method: String, _ parameters: [(name: String, value: String)], form: String) throws -> Reply {
    let call = Call(
      method: "GET", path: "/rest/\(method)", query: Fields(parameters + [("f", form), ("c", "test")]))
    return try server.subsonic.answer(try server.subsonic.method(call), to: call, by: account).finished()
  }
}

extension HTTPAnswer {
  /// The answer of OpenSubsonic.
  var subsonic: [String: Any] { document["subsonic-response"] as? [String: Any] ?? [:] }

  /// The code of its error; nil if it has none.
  var subsonicCode: Int? { (subsonic["error"] as? [String: Any])?["code"] as? Int }
}

/// What a reply takes to be sent.
struct ReplySize {
  var byteCount = 0
  /// Of the bytes that are in memory at once for it: all of them, or those of a piece.
  var largestPieceByteCount = 0
  /// What it keeps in memory besides until it was sent.
  var heldByteCount = 0
  var pieceCount = 0

  /// nil for sound and files, which are sent in pieces of their own.
  init?(_ reply: Reply) throws {
    switch reply.body {
    case .bytes(let bytes): (byteCount, largestPieceByteCount, pieceCount) = (bytes.count, bytes.count, 1)
    case .document(let document):
      heldByteCount = document.heldByteCount
      while let piece = try document.next() {
        byteCount += piece.count
        largestPieceByteCount = max(largestPieceByteCount, piece.count)
        pieceCount += 1
      }
    case .file, .stream, .events: return nil
    }
  }
}
