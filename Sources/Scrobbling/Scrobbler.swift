internal import Base
internal import Foundation
package import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import UserData

/// Tells ListenBrainz what people hear who have given their token, on a thread of its own.
///
/// What was heard is in the queue before anything is sent, and leaves it when the service has taken it; what is heard now is
/// sent once, or not at all. The service counts the same song at the same time once, so that nothing is doubled if an
/// answer is lost.
package final class Scrobbler: @unchecked Sendable {
  /// What waits is looked at this often, because a person may have given another token.
  private static let lookInSeconds = 5.0

  private let accounts: AccountFile
  private let queue: ListenQueue
  private let client: ListenBrainzClient
  private let report: @Sendable (String) -> Void

  private let condition = NSCondition()
  // Behind the condition.
  private var heardNow: [String: Listen] = [:]
  private var isRunning = false
  private var hasNews = false
  private var isStopped = false
  // The thread's own, by token.
  private var paces: [String: SubmissionPace] = [:]

  /// - Parameter report: Takes a sentence about something that a person must do or know.
  package init(
    _ accounts: AccountFile, queue: ListenQueue, client: ListenBrainzClient,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.accounts = accounts
    self.queue = queue
    self.client = client
    self.report = report
  }

  // MARK: - What is heard

  /// Notes that somebody has heard songs, if they have given a token.
  ///
  /// A failure is reported, and no reason to refuse what a player says.
  ///
  /// - Parameters:
  ///   - heard: With the start of each in seconds since 1970.
  ///   - player: the program that plays.
  ///   - tags: those of a song; called if they are needed.
  func note(
    _ heard: [(song: Song, startedAt: Int64)], by listener: Listener, player: String?,
    tags: (Song) throws -> Tags
  ) {
    do {
      guard let token = try accounts.accounts().listenBrainzToken(of: listener) else { return }
      let listens = try heard.compactMap { song, startedAt in
        Listen(of: song, tags: try tags(song), startedAt: startedAt, player: player, version: client.version)
      }
      try queue.add(listens, of: token.user)
      wake { _ in }
    } catch {
      report("plays will not be submitted to ListenBrainz: \(error)")
    }
  }

  /// Notes that somebody hears a song now, likewise.
  func note(playing song: Song, by listener: Listener, player: String?, tags: (Song) throws -> Tags) {
    do {
      guard let token = try accounts.accounts().listenBrainzToken(of: listener), !token.isRefused,
        let listen = Listen(of: song, tags: try tags(song), startedAt: nil, player: player, version: client.version)
      else { return }
      wake { $0.heardNow[token.user] = listen }
    } catch {
      report("a play will not be submitted to ListenBrainz: \(error)")
    }
  }

  /// Sends what still waits from before, if there may be something.
  package func start() {
    guard let known = try? accounts.accounts(), !known.listenBrainzTokens.isEmpty else { return }
    wake { _ in }
  }

  package func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
    }
  }

  private func wake(_ change: (Scrobbler) -> Void) {
    let isFirst = condition.withLock {
      change(self)
      hasNews = true
      condition.signal()
      defer { isRunning = true }
      return !isRunning && !isStopped
    }
    guard isFirst else { return }
    let thread = Thread { self.run() }
    thread.name = "listenbrainz"
    thread.start()
  }

  // MARK: - The thread

  private var isOver: Bool { condition.withLock { isStopped } }

  private func run() {
    while !isOver {
      let pause = sendOnce()
      condition.withLock {
        if !hasNews, !isStopped { _ = condition.wait(until: Date(timeIntervalSinceNow: pause)) }
        hasNews = false
      }
    }
  }

  /// Sends one submission of each person whose turn it is.
  ///
  /// - Returns: after how many seconds there may be something else to do.
  private func sendOnce() -> Double {
    do {
      var pause = try queue.counts().isEmpty ? 3600 : Self.lookInSeconds
      for token in try accounts.accounts().listenBrainzTokens where !token.isRefused && !isOver {
        if let own = try send(token) { pause = min(pause, own) }
      }
      return pause
    } catch {
      report("cannot scrobble to ListenBrainz: \(error)")
      return 60
    }
  }

  /// - Returns: nil if nothing waits of the person.
  private func send(_ token: ListenBrainzToken) throws -> Double? {
    let now = monotonicSeconds()
    let pace = paces[token.token] ?? SubmissionPace()
    let current = condition.withLock { heardNow.removeValue(forKey: token.user) }
    guard pace.nextTry <= now else { return pace.nextTry - now }
    if let listen = current {
      let outcome = submit([listen], areHeardNow: true, token)
      // It is not tried again, so that one song that is refused keeps nothing back.
      if case .invalid = outcome { return 0 }
      return try take(outcome, of: [], token)
    }
    let listens = try queue.first(pace.largestCount, of: token.user)
    guard !listens.isEmpty else { return nil }
    return try take(submit(listens, areHeardNow: false, token), of: listens, token)
  }

  private func submit(
    _ listens: [Listen], areHeardNow: Bool, _ token: ListenBrainzToken
  ) -> ListenBrainzClient.Outcome {
    client.submit(listens, areHeardNow: areHeardNow, token: token.token) { [weak self] in self?.isOver ?? true }
  }

  /// - Returns: after how many seconds the next submission may be tried.
  private func take(
    _ outcome: ListenBrainzClient.Outcome, of listens: [Listen], _ token: ListenBrainzToken
  ) throws -> Double? {
    guard !isOver else { return nil }
    let now = monotonicSeconds()
    var pace = paces[token.token] ?? SubmissionPace()
    defer { paces[token.token] = pace }
    switch outcome {
    case .taken(let seconds):
      try queue.remove(listens, of: token.user)
      pace.pause(seconds, now: now)
      pace.grow()
    case .later(let seconds): pace.pause(seconds, now: now)
    case .invalid(let reason):
      pace.pause(0, now: now)
      guard listens.count == 1 else {
        pace.halve(listens.count)
        break
      }
      try queue.remove(listens, of: token.user)
      report("ListenBrainz rejected a play of \(token.user): \(reason)")
    case .refusedToken:
      try accounts.change { $0.noteRefused(token) }
      report(
        "ListenBrainz rejects the token of \(token.user); plays are queued until there is a new one "
          + "(`deadwax serve user listenbrainz \(token.user) --token-from FILE`)")
    case .failed(let reason):
      if pace.failureCount == 0 { report("plays of \(token.user) are queued for ListenBrainz: \(reason)") }
      pace.fail(now: now)
    }
    return max(0, pace.nextTry - now)
  }
}

/// When the next submission of a person may be tried, and how large it may be.
struct SubmissionPace {
  private static let longestPauseInSeconds = 600.0

  /// On the caller's clock.
  private(set) var nextTry = 0.0
  private(set) var largestCount = ListenBrainzClient.largestCount
  /// Failures since the last answer.
  private(set) var failureCount = 0

  /// The service was heard from, and wants a pause.
  mutating func pause(_ seconds: Double, now: Double) {
    failureCount = 0
    nextTry = now + seconds
  }

  /// Everything was taken.
  mutating func grow() { largestCount = min(largestCount * 2, ListenBrainzClient.largestCount) }

  /// One of so many is wrong: halves find it.
  mutating func halve(_ count: Int) { largestCount = max(1, count / 2) }

  /// Waits 2, 4, 8 seconds and so on, at most ten minutes.
  mutating func fail(now: Double) {
    failureCount += 1
    nextTry = now + min(Self.longestPauseInSeconds, Double(1 << min(failureCount, 20)))
  }
}
