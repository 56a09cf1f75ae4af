internal import Base
package import HTTPServing
package import LibraryServing
package import Scrobbling

/// OpenSubsonic, as players speak it: who calls, and which method answers. docs/opensubsonic.md says what it can.
///
/// Each call proves who makes it, so pages of other sites may make some. Errors are answers of status 200, but for those that
/// players know from every server: 416 of ranges, 429 of wrong passwords, and 503.
package struct SubsonicServer: HTTPApplication {
  /// The component of the path before the name of a method.
  private static let folder = "rest"

  let methods: [String: SubsonicMethod]
  let logins: LoginRateLimiter
  private let library: LibraryAccess
  private let browsing: BrowseIndexHolder
  private let accounts: AccountFile?

  /// - Parameters:
  ///   - accounts: The passwords of players; nil if there can be none.
  ///   - logins: Slows down wrong passwords.
  ///   - browsing: What players browse.
  ///   - jukebox: Plays on the device of the server.
  ///   - plays: Receives what clients have played.
  package init(
    _ library: LibraryAccess, accounts: AccountFile?, logins: LoginRateLimiter, browsing: BrowseIndexHolder,
    scans: ScanControl, decoders: TrackDecoders, files: ServableFiles, covers: CoverPictures,
    similarity: SimilarityCache,
    jukebox: Jukebox, plays: PlayReports
  ) {
    self.library = library
    self.accounts = accounts
    self.logins = logins
    self.browsing = browsing
    let nowPlaying = NowPlaying()
    methods = [
      SystemMethods(accounts: accounts, scans: scans, browsing: browsing).all,
      BrowsingMethods.all,
      AlbumListMethods(nowPlaying: nowPlaying).all,
      SearchMethods.all,
      PlaylistMethods(accounts: accounts).all,
      AnnotationMethods(nowPlaying: nowPlaying, plays: plays).all,
      QueueMethods.all,
      SoundMethods(decoders: decoders, files: files, covers: covers).all,
      LyricsMethods.all,
      SimilarityMethods(similarity: similarity).all,
      JukeboxMethods(jukebox: jukebox).all,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }

  /// Whether a path is one of the protocol: players join it to what people enter, with a slash too many, or with the path
  /// under which a proxy has the server, which it need not have taken away.
  package func takes(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard parts.first != Self.folder[...] else { return true }
    guard parts.count > 2, parts[parts.count - 2] == Self.folder[...] else { return false }
    let name = Self.methodName(path)
    // Those of the protocol that are not served have such names, and no part of the page has.
    let looksLikeMethod = name.first?.isLowercase == true && name.contains(where: \.isUppercase)
    return methods[name] != nil || looksLikeMethod && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  package func reply(to exchange: inout Exchange) async throws -> Reply {
    let path = exchange.call.path
    // Its place among the bodies is taken until there is an answer.
    var form: ReceivedBody?
    defer { withExtendedLifetime(form) {} }
    if exchange.call.method == "POST" {
      // Names and passwords are in the address or in the form.
      let (known, queues) = (exchange.call, exchange.queues)
      let body = try await exchange.body(.form) { part in
        await sender(of: known, andFormThatBegins: part, queues)
      }
      guard !Fields.hasMore(than: SongList.largestCount + 100, in: body.bytes) else {
        throw HTTPProblem(413, "the form has more than \(SongList.largestCount) songs")
      }
      exchange.call.query.append(Fields(reading: String(decoding: body.bytes, as: UTF8.self)[...]))
      form = body
    } else if exchange.call.method != "GET" {
      throw HTTPProblem(405, "\(path) takes GET, POST", headers: [("Allow", "GET, POST, OPTIONS")])
    }
    do {
      let method = try method(exchange.call)
      let account = method.right == nil ? nil : try await account(of: exchange.call, exchange.queues)
      if let account { exchange.call.client = account.client }
      let call = exchange.call
      return try await exchange.reply(method.work) { answer(method, to: call, by: account) }
    } catch let error as SubsonicError {
      return SubsonicForm(exchange.call.query).reply(error)
    }
  }

  package func reply(to problem: HTTPProblem, of call: Call) -> Reply {
    guard ![416, 429, 503].contains(problem.status) else { return problem.reply }
    return SubsonicForm(call.query).reply(SubsonicError(problem)).with(problem.headers)
  }

  // MARK: - Methods

  /// - Throws: ``SubsonicError`` if there is none, or the versions do not fit.
  func method(_ call: Call) throws(SubsonicError) -> SubsonicMethod {
    let name = Self.methodName(call.path)
    guard let method = methods[name] else {
      throw SubsonicError(.general, "this server has no method '\(name.cut(toByteCount: 40))'")
    }
    if let major = call.query["v"]?.split(separator: ".").first.flatMap({ Int($0) }), major != 1 {
      throw major < 1
        ? SubsonicError(.clientTooOld, "the client must speak version 1 of the protocol")
        : SubsonicError(.serverTooOld, "this server speaks version \(SubsonicWriter.protocolVersion) of the protocol")
    }
    return method
  }

  private static func methodName(_ path: String) -> String {
    let parts = path.split(separator: "/")
    let start = parts.first == folder[...] ? 1 : max(0, parts.count - 1)
    let name = parts[start...].joined(separator: "/")
    return name.hasSuffix(".view") ? String(name.dropLast(5)) : name
  }

  /// The answer of a method; each error is one, too.
  func answer(_ method: SubsonicMethod, to call: Call, by account: Account?) -> Answer {
    let form = SubsonicForm(call.query)
    @Sendable func failing(_ error: any Error) -> Reply {
      (error as? HTTPProblem).map { reply(to: $0, of: call) } ?? form.reply(SubsonicError(error))
    }
    do {
      if let right = method.right, let account, !account.right.includes(right) {
        throw SubsonicError(.notAllowed, "this password may not \(right.rawValue)")
      }
      switch try method.handle(SubsonicCall(call, by: account, library, browsing)) {
      case .document(let object): return .reply(try form.reply(object))
      case .bytes(.reply(let reply)): return .reply(reply)
      case .bytes(.decoding(let rest)):
        return .decoding { do { return try rest() } catch { return failing(error) } }
      }
    } catch {
      return .reply(failing(error))
    }
  }

  // MARK: - Who calls

  /// Who sends a form, if the address or its first fields prove it; nil if they do not.
  private func sender(of call: Call, andFormThatBegins part: [UInt8], _ queues: WorkQueues) async -> Client? {
    var query = call.query
    // Who sends is said before the songs are named.
    let whole = part.prefix(8_192).split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).dropLast()
    let text = String(decoding: Array(whole.joined(separator: [UInt8(ascii: "&")])), as: UTF8.self)
    query.append(Fields(reading: text[...]))
    guard let proof = try? SubsonicProof(query), let accounts = try? await accounts(for: call.client, queues)
    else { return nil }
    return proof.account(among: accounts)?.client
  }

  private func accounts(for client: Client, _ queues: WorkQueues) async throws -> Accounts {
    try await queues.checking.run(for: client) {
      do { return try accounts?.accounts() ?? Accounts() } catch {
        throw SubsonicError(.general, "the passwords of this server cannot be read")
      }
    }
  }

  /// Who calls. A wrong password is answered late, without holding a thread; a right one never waits for it.
  private func account(of call: Call, _ queues: WorkQueues) async throws -> Account {
    let proof = try SubsonicProof(call.query)
    let key = LoginRateLimiter.Key(address: call.address, user: proof.user ?? "")
    if let account = proof.account(among: try await accounts(for: call.client, queues)) {
      logins.forget(key)
      return account
    }
    try await logins.delayAnswer(to: key)
    throw proof.refusal
  }
}
