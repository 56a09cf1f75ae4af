internal import AudioEncoding
internal import Base
internal import DecodingService
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage
internal import SoundIndex

/// Why a call has no result, as RFC 9457 puts it.
struct Problem: Error, Sendable {
  let status: Int
  /// One sentence for people.
  let detail: String
  /// In a query, counted in Unicode scalars from 1.
  var column: Int?
  var headers: [(String, String)] = []

  init(_ status: Int, _ detail: String, column: Int? = nil, headers: [(String, String)] = []) {
    self.status = status
    self.detail = detail
    self.column = column
    self.headers = headers
  }

  static func invalid(_ parameter: ParameterDescription, _ text: String) -> Problem {
    Problem(422, "\(parameter.name): \(parameter.meaning); '\(text.cut(toByteCount: 40))' is not possible")
  }

  static let busy = Problem(503, "too much is being read at once; try again", headers: [("Retry-After", "1")])

  /// A range outside of what there is.
  static func beyond(_ byteCount: Int64) -> Problem {
    Problem(416, "there are \(byteCount) bytes", headers: [("Content-Range", "bytes */\(byteCount)")])
  }

  /// The problem that an error of the other modules is to a client; paths stay out of it.
  init(_ error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let error as QueryError: self.init(400, error.message, column: error.column)
    case let error as StoreError: self.init(Self.status(of: error), error.message)
    case TrackError.noTrack(let id): self.init(404, "there is no track \(id)")
    case is TrackError: self.init(404, "there is no such track")
    case let error as AudioEncodingError: self.init(422, error.reason)
    case let error as RenderingError: self.init(error.isInvalidRequest ? 422 : 404, error.detail)
    case SegmentReadingError.changed: self.init(409, "the file has changed since it was scanned; scan it again")
    case SegmentReadingError.file(_, let reason): self.init(404, "the file cannot be read: \(reason)")
    case SegmentReadingError.worker(let reason): self.init(503, "the worker failed: \(reason)")
    case let error as SoundIndexError: self.init(503, "the sound index cannot be used: \(error.reason)")
    default: self.init(500, "\(error)")
    }
  }

  private static func status(of error: StoreError) -> Int {
    switch error {
    case .scanRunning, .watchRunning, .listExists, .presetExists, .nothingToUndo, .listIsQuery, .presetInUse: 409
    case .noSuchList, .noSuchPreset, .noSuchRoot: 404
    case .invalidListName, .invalidAttribute, .tooDeepQuery: 422
    case .readOnly, .builtInPreset: 403
    case .locked, .missingLibrary, .noSuchFile, .sameLibrary, .notALibrary, .newerSchema, .olderSchema, .corrupt,
      .diskFull, .inputOutput, .tookTooLong, .damagedLibrary, .fewerUserRows, .shard, .unsuitableShard:
      503
    case .sql, .damagedProduct, .overlappingRoots, .unsuitableRoot, .unreadablePreset, .notABeetsLibrary: 500
    }
  }

  var reply: Reply {
    var members: [JSONValue.Member] = [
      .init("type", "about:blank"), .init("title", .string(Self.title(of: status))), .init("status", .integer(status)),
      .init("detail", .string(detail)),
    ]
    if let column { members.append(.init("column", .integer(column))) }
    var reply = Reply(Array(JSONValue.object(members).text.utf8), .problem, status: status)
    reply.headers += headers + [("Cache-Control", "no-store")]
    return reply
  }

  private static func title(of status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 503: "Service Unavailable"
    default: "Internal Server Error"
    }
  }
}

extension SoundIndexError {
  /// The description without the path of the file.
  fileprivate var reason: String {
    switch self {
    case .damaged(_, let reason): reason
    case .system(_, let code): SystemError(call: "", code: code).description
    case .output(let error): error.description
    }
  }
}

extension RenderingError {
  /// The description without the path of the file.
  fileprivate var detail: String {
    switch self {
    case .nothingInRange(_, let duration): Self.nothingInRange(nil, durationInSeconds: duration).description
    case .noRecording: "the recording was not decoded"
    case .notStored(let kind, _): "the \(kind.rawValue) is not stored"
    case .noArtwork: "the tags have no picture"
    default: description
    }
  }
}
