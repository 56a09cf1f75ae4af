internal import Base
internal import MediaModel
internal import MediaStore

/// One call of the protocol by somebody who has proved who they are: what the methods read their parameters from.
struct SubsonicCall: Sendable {
  let service: LibraryService
  let request: CallRequest
  /// Those of the address, then those of a form.
  let parameters: SubsonicParameters
  /// nil for the methods that anybody may call.
  let account: Account?
  /// Whether this thread is one of those that may decode.
  let mayDecode: Bool

  var user: String { account?.user ?? "" }

  var listener: Listener { account?.listener ?? .owner }

  /// The same request as the routes of the API see it.
  var call: Call { Call(service: service, request: request, values: [:], mayDecode: mayDecode) }

  /// Tells ListenBrainz what the person has heard, with the start of each song in seconds since 1970.
  func tellListenBrainz(of heard: [(song: Song, startedAt: Int64)]) {
    service.tellListenBrainz(of: heard, by: listener, player: player)
  }

  /// Tells it what the person hears now.
  func tellListenBrainz(ofPlaying song: Song) {
    service.tellListenBrainz(ofPlaying: song, by: listener, player: player)
  }

  /// The program that plays, as it names itself; empty if it does not.
  var clientName: String { player ?? "" }

  private var player: String? { parameters["c"]?.cut(toByteCount: 100) }

  /// Continues on a thread that may decode, if this one may not.
  func requireDecoder() throws(NeedsDecoder) {
    if !mayDecode { throw NeedsDecoder() }
  }

  /// Calls `body` with the library as it is for the person who calls.
  func reading<Value>(_ body: (SubsonicLibrary) throws -> Value) throws -> Value {
    let browseIndex = try service.browsing.current()
    return try service.library.reading { store in
      let person = try store.personID(of: listener)
      return try body(
        SubsonicLibrary(store, SubsonicView(store, of: service.library, browseIndex, personID: person)))
    }
  }

  /// Calls `body` with the connection that writes, and the id of the person who calls.
  func writing<Value>(_ body: (MediaStore, Int64) throws -> Value) throws -> Value {
    try service.library.writing { store in try body(store, try store.addedPersonID(of: listener)) }
  }
}

/// The parameters of a call, some of which can come several times.
struct SubsonicParameters: Sendable {
  private let all: [(name: String, value: String)]

  init(_ all: [(name: String, value: String)]) { self.all = all }

  /// The first of that name; nil if there is none or it is empty.
  subscript(name: String) -> String? {
    all.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  func has(_ name: String) -> Bool { all.contains { $0.name == name } }

  func values(_ name: String) -> [String] { all.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }

  func required(_ name: String) throws(SubsonicError) -> String {
    guard let value = self[name] else { throw .missing(name) }
    return value
  }

  /// - Throws: ``SubsonicError`` if it is no number; a number out of the range becomes the nearest one.
  func integer(_ name: String, in range: ClosedRange<Int64>) throws(SubsonicError) -> Int64? {
    guard let text = self[name] else { return nil }
    guard let number = Int64(text) else { throw .invalid(name, text) }
    return min(max(number, range.lowerBound), range.upperBound)
  }

  /// How many items of a list are asked for, and from which on.
  func page(
    _ size: String, _ offset: String, default count: Int64, limit: Int64 = 500
  ) throws(SubsonicError) -> (count: Int, offset: Int) {
    (
      Int(try integer(size, in: 0...limit) ?? count), Int(try integer(offset, in: 0...Int64(Int32.max)) ?? 0)
    )
  }

  func flag(_ name: String, default value: Bool) -> Bool { self[name].map { $0.lowercased() == "true" } ?? value }
}

/// What a method answers.
enum SubsonicAnswer {
  case document(SubsonicObject)
  /// Bytes of a sound or picture.
  case bytes(Reply)
}

/// A method of the protocol.
struct SubsonicMethod: Sendable {
  /// nil if anybody may call it.
  let right: AccountRight?
  /// Whether it writes to the library, so that it waits for other writes.
  var writes: Bool { right == .rate || right == .manage }
  let handle: @Sendable (SubsonicCall) throws -> SubsonicAnswer

  init(_ right: AccountRight?, _ handle: @escaping @Sendable (SubsonicCall) throws -> SubsonicObject) {
    self.right = right
    self.handle = { .document(try handle($0)) }
  }

  private init(right: AccountRight?, handle: @escaping @Sendable (SubsonicCall) throws -> SubsonicAnswer) {
    self.right = right
    self.handle = handle
  }

  static func bytes(_ handle: @escaping @Sendable (SubsonicCall) throws -> Reply) -> SubsonicMethod {
    SubsonicMethod(right: .listen) { .bytes(try handle($0)) }
  }

  /// All methods by their names.
  static let all: [String: SubsonicMethod] = [
    SystemMethods.all, BrowsingMethods.all, AlbumListMethods.all, SearchMethods.all, PlaylistMethods.all,
    AnnotationMethods.all, QueueMethods.all, SoundMethods.all, LyricsMethods.all, SimilarityMethods.all,
    JukeboxMethods.all,
  ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }
}
