package import HTTPServing
package import LibraryServing
internal import MediaStore
package import Scrobbling

/// The API of a library: who may call which route, and what its routes answer. docs/api.md explains it.
package struct LibraryAPI: HTTPApplication {
  package static let prefix = Route.prefix

  let table: RouteTable
  private let library: LibraryAccess
  private let access: AccessPolicy
  private let sessions: SessionFile?
  private let logins: LoginRateLimiter
  private let writing: FileWriting

  /// - Parameters:
  ///   - sessions: Of browsers in which people have signed in; nil if there can be none.
  ///   - logins: Slows down wrong passwords.
  ///   - scans: Those that clients start.
  ///   - events: Sends changes of the library to clients.
  ///   - plays: Receives what clients have played.
  ///   - mayWriteMusic: Whether the owner may write music files from the page.
  ///   - folders: Those in which the owner can look for music.
  package init(
    _ library: LibraryAccess, access: AccessPolicy, sessions: SessionFile? = nil,
    logins: LoginRateLimiter = LoginRateLimiter(), scans: ScanControl, events: EventHub,
    decoders: TrackDecoders, files: ServableFiles, covers: CoverPictures, similarity: SimilarityCache,
    plays: PlayReports,
    mayWriteMusic: Bool = false, folders: BrowsableFolders = BrowsableFolders([])
  ) {
    let writing = FileWriting(library, isAllowed: mayWriteMusic)
    (self.library, self.access, self.writing) = (library, access, writing)
    (self.sessions, self.logins) = (sessions, logins)
    let results = ResultLists()
    table = RouteTable(
      OpenAPI.describing(
        LibraryRoutes(library: library, scans: scans, writing: writing).routes
          + RootRoutes(library: library, scans: scans, folders: folders).routes
          + SessionRoutes(access: access, sessions: sessions, logins: logins, events: events).routes
          + ListingRoutes(library: library, results: results).routes
          + AlbumRoutes(library: library).routes
          + GroupRoutes(library: library).routes
          + TrackRoutes(library: library, files: files, covers: covers).routes
          + SoundRoutes(library: library, decoders: decoders).routes
          + StreamRoutes(library: library, decoders: decoders).routes
          + WaveformRoutes(library: library, decoders: decoders).routes
          + SpectrumRoutes(library: library, decoders: decoders).routes
          + TransitionRoutes(library: library).routes
          + SimilarityRoutes(library: library, similarity: similarity).routes
          + UserDataRoutes(library: library).routes
          + SelectionRoutes(library: library, results: results).routes
          + TagRoutes(library: library, results: results).routes
          + WritingRoutes(library: library, writing: writing).routes
          + PresetRoutes(library: library).routes
          + PlayRoutes(library: library, reports: plays).routes
          + QueueRoutes(library: library).routes))
  }

  /// Ends what writes music files; the process ends next.
  package func stop() { writing.stop() }

  package func reply(to exchange: inout Exchange) async throws -> Reply {
    do {
      return try await answer(&exchange)
    } catch let error as WrongPassword {
      try await logins.delayAnswer(to: error.key)
      throw HTTPProblem(401, "wrong name or password; `deadwax serve user add` makes passwords")
    } catch {
      throw HTTPProblem(error)
    }
  }

  /// Who calls; the files with sessions and passwords are looked at beside other work.
  private func caller(of call: Call, _ queues: WorkQueues) async throws -> AccessPolicy.Caller {
    guard call[header: "cookie"] != nil else { return access.caller(of: call, sessions) }
    return try await queues.checking.run(for: call.client) { [access, sessions] in
      let caller = access.caller(of: call, sessions)
      // What cannot be written down now is written down later.
      if case .person(let session, _) = caller { try? sessions?.noteUse(of: session, from: call.address) }
      return caller
    }
  }

  private func answer(_ exchange: inout Exchange) async throws -> Reply {
    let call = exchange.call
    switch table.match(call.method, call.path.dropFirst(Self.prefix.count)) {
    case .nothing: throw HTTPProblem(404, "there is no \(call.path)")
    case .otherMethods(let methods):
      let names = methods.map(\.rawValue).joined(separator: ", ")
      throw HTTPProblem(405, "\(call.path) takes \(names)", headers: [("Allow", names)])
    case .route(let route, let values):
      let caller = try await caller(of: call, exchange.queues)
      if let refusal = access.refusal(of: caller, needing: route.right) { throw refusal }
      guard call.otherSite == nil || [.none, .reading].contains(route.right) else {
        throw HTTPProblem(403, "pages of other sites may only read the library and play")
      }
      if let client = caller.client { exchange.call.client = client }
      if let name = call.query.all.map(\.name).first(where: { name in !route.parameters.contains { $0.name == name } })
      {
        throw HTTPProblem(422, "there is no parameter \(name)")
      }
      var body: ReceivedBody?
      if route.method != .get { body = try await exchange.body(route.body) }
      defer { withExtendedLifetime(body) {} }
      exchange.call.body = body?.bytes ?? []
      exchange.call.values = values
      return try await exchange.reply(route.work) { [call = exchange.call, library] in
        let listener = caller.listener
        let answer = try LibraryAccess.$listener.withValue(listener) { try route.handle(call) }
        if case .decoding(let rest) = answer {
          return .decoding { try LibraryAccess.$listener.withValue(listener, operation: rest) }
        }
        guard route.work == .writing else { return answer }
        // So that who has changed something knows which of the changes that are told of was that.
        let revisions = try library.reading { try $0.latestRevisions() }
        return answer.map { $0.with([("Deadwax-Revisions", "\(revisions.previous) \(revisions.current)")]) }
      }
    }
  }
}
