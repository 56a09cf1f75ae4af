import Base
import DecodingService
import MediaModel
import MediaStore
import TestSupport

@testable import MediaServer

/// A library and the service of a server on it, whose routes and methods are called without sockets.
final class ServedLibrary {
  let folder: TemporaryFolder
  let service: LibraryService
  private let routes = RouteTable(APIRoutes.all)
  /// Who calls methods: somebody who may do everything.
  let account: Account

  /// - Parameter fill: Puts into the library what it holds.
  init(_ fill: (MediaStore) throws -> Void) throws {
    folder = try TemporaryFolder()
    let path = folder.file("library.sqlite")
    let store = try MediaStore(at: path, access: .createIfMissing)
    try fill(store)
    try store.close()
    var accounts = Accounts()
    account = try accounts.add(
      user: "ana", purpose: "test", right: .manage, hearing: .raw, gain: .off, mayUseJukebox: true, isOwner: true)
    service = LibraryService(
      try LibraryAccess(at: path, canWrite: true), cache: SegmentCache(capacityInBytes: 1 << 20), decoderLimit: 1,
      scanWorkers: WorkerPool.Configuration(executable: "/bin/false", workerCount: 1))
  }

  deinit { service.library.close() }

  /// What a route answers; problems are answers, too.
  ///
  /// - Parameters:
  ///   - target: The path below `/api/v1`, and the query.
  ///   - body: A JSON object, or nil.
  func answer(_ method: String, _ target: String, body: String? = nil) throws -> Reply {
    guard let (path, query) = CallRequest.target(target),
      case .route(let route, let values) = routes.match(method, path[...])
    else { throw Problem(404, "there is no \(target)") }
    var request = CallRequest(method: method, path: Route.prefix + path, query: query)
    if let body {
      request.headers["content-type"] = route.body == .sound ? "audio/flac" : MediaType.json.rawValue
      request.body = Array(body.utf8)
    }
    do {
      return try route.handle(Call(service: service, request: request, values: values, mayDecode: true))
    } catch {
      return Problem(error).reply
    }
  }

  /// What a method of OpenSubsonic answers.
  ///
  /// - Parameter form: `xml` or `json`.
  func answer(method: String, _ parameters: [(name: String, value: String)], form: String) throws -> Reply {
    let request = SubsonicRequest(
      CallRequest(method: "GET", path: "/rest/\(method)", query: parameters + [("f", form), ("c", "test")]))
    return try request.answer(try request.method(), by: account, service, mayDecode: true)
  }
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
