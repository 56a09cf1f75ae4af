internal import Base
internal import HTTPServing
internal import LibraryServing
internal import MediaStore
internal import Scrobbling
internal import UserData

/// One call of the protocol by somebody who has proved who they are: what the methods read their parameters from.
struct SubsonicCall: Sendable {
  /// Its parameters are those of the address, then those of a form.
  let call: Call
  /// nil for the methods that anybody may call.
  let account: Account?
  fileprivate let library: LibraryAccess
  fileprivate let browsing: BrowseIndexHolder

  init(_ call: Call, by account: Account?, _ library: LibraryAccess, _ browsing: BrowseIndexHolder) {
    self.call = call
    self.account = account
    self.library = library
    self.browsing = browsing
  }

  var parameters: Fields { call.query }

  var user: String { account?.user ?? "" }

  var listener: Listener { account?.listener ?? .owner }

  /// The program that plays, as it names itself.
  var playerName: String? { parameters["c"]?.cut(toByteCount: 100) }

  var player: NowPlaying.Player { NowPlaying.Player(user: user, name: playerName ?? "") }

  /// Calls `body` with the library as it is for the person who calls.
  func reading<Value>(_ body: (SubsonicLibrary) throws -> Value) throws -> Value {
    let browseIndex = try browsing.current()
    return try library.reading { store in
      let view = try SubsonicView(
        store, of: library, browseIndex, personID: try store.people.id(of: listener), account: account)
      return try body(SubsonicLibrary(store, view))
    }
  }

  /// Calls `body` with the connection that writes, and the id of the person who calls.
  func writing<Value>(_ body: (MediaStore, Int64) throws -> Value) throws -> Value {
    try library.writing { store in try body(store, try store.people.addedID(of: listener)) }
  }
}

/// A method of the protocol: who may call it, what it does, and how it is answered.
struct SubsonicMethod: Sendable {
  /// What a method answers.
  enum Result {
    case document(SubsonicObject)
    /// Bytes of a sound or picture.
    case bytes(Answer)
  }

  /// nil if anybody may call it.
  let right: AccountRight?
  let handle: @Sendable (SubsonicCall) throws -> Result

  var work: Work { right == .rate || right == .manage ? .writing : .reading }

  init(_ right: AccountRight?, _ handle: @escaping @Sendable (SubsonicCall) throws -> SubsonicObject) {
    self.right = right
    self.handle = { .document(try handle($0)) }
  }

  /// A method that answers with bytes, for which it may have to decode.
  init(mayDecode handle: @escaping @Sendable (SubsonicCall) throws -> Answer) {
    right = .listen
    self.handle = { .bytes(try handle($0)) }
  }
}
