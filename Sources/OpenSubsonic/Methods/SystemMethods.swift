internal import Base
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaImport
internal import MediaStore

/// The server itself: what it can, who may use it, and its scans.
struct SystemMethods {
  let accounts: AccountFile?
  let scans: ScanControl
  let browsing: BrowseIndexHolder

  var all: [String: SubsonicMethod] {
    [
      "ping": SubsonicMethod(.listen) { _ in SubsonicObject() },
      "getLicense": SubsonicMethod(.listen) { _ in
        var license = SubsonicObject()
        license.add("valid", true)
        return .holding("license", license)
      },
      "getOpenSubsonicExtensions": SubsonicMethod(nil) { _ in Self.extensions },
      "tokenInfo": SubsonicMethod(.listen) { call in
        var info = SubsonicObject()
        info.add("username", call.user)
        return .holding("tokenInfo", info)
      },
      "getUser": SubsonicMethod(.listen, user),
      "getUsers": SubsonicMethod(.manage) { call in
        let known = try accounts?.accounts().all ?? []
        let rights = known.reduce(into: [String: Rights]()) { rights, account in
          rights[account.user] = Rights(account).joined(rights[account.user])
        }
        let roots = try call.reading { try $0.store.roots.all().map(\.id) }
        return .holding("users", "user", rights.sorted { $0.key < $1.key }.map { user($0.key, $0.value, roots) })
      },
      "getScanStatus": SubsonicMethod(.listen) { _ in try scanStatus() },
      "startScan": SubsonicMethod(.manage) { _ in
        try scans.start()
        return try scanStatus()
      },
      // There are none, and clients that ask for them are not told of an error.
      "getVideos": SubsonicMethod(.listen) { _ in .holding("videos", SubsonicObject()) },
      "getPodcasts": SubsonicMethod(.listen) { _ in .holding("podcasts", SubsonicObject()) },
      "getNewestPodcasts": SubsonicMethod(.listen) { _ in .holding("newestPodcasts", SubsonicObject()) },
      "getInternetRadioStations": SubsonicMethod(.listen) { _ in .holding("internetRadioStations", SubsonicObject()) },
      "getShares": SubsonicMethod(.listen) { _ in .holding("shares", SubsonicObject()) },
      "getChatMessages": SubsonicMethod(.listen) { _ in .holding("chatMessages", SubsonicObject()) },
    ]
  }

  /// Only what works is announced.
  private static let extensions: SubsonicObject = {
    let names = [
      "apiKeyAuthentication", "formPost", "indexBasedQueue", "playbackReport", "songLyrics", "sonicSimilarity",
      "topSongsByArtistId", "transcodeOffset",
    ]
    var object = SubsonicObject()
    object.add(
      "openSubsonicExtensions",
      names.map { name in
        var item = SubsonicObject()
        item.add("name", name)
        item.add("versions", numbers: [1])
        return item
      })
    return object
  }()

  /// Of oneself only: who the others are is nobody's business.
  private func user(_ call: SubsonicCall) throws -> SubsonicObject {
    let name = call.parameters["username"] ?? call.user
    guard name == call.user else { throw SubsonicError(.notAllowed, "this password shows only \(call.user)") }
    let roots = try call.reading { try $0.store.roots.all().map(\.id) }
    return .holding("user", user(name, call.account.map(Rights.init) ?? Rights(), roots))
  }

  /// What somebody may do with a password, or with the best of several.
  private struct Rights {
    var right = AccountRight.listen
    var mayUseJukebox = false

    init() {}

    init(_ account: Account) { (right, mayUseJukebox) = (account.right, account.mayUseJukebox) }

    func joined(_ other: Rights?) -> Rights {
      guard let other else { return self }
      var rights = right.includes(other.right) ? self : other
      rights.mayUseJukebox = mayUseJukebox || other.mayUseJukebox
      return rights
    }
  }

  private func user(_ name: String, _ rights: Rights, _ roots: [Int64]) -> SubsonicObject {
    let right = rights.right
    var user = SubsonicObject()
    user.add("username", name)
    user.add("scrobblingEnabled", right.includes(.rate))
    user.add("adminRole", right.includes(.manage))
    for (role, needed) in [
      ("settingsRole", AccountRight?.none), ("downloadRole", .listen), ("uploadRole", nil), ("playlistRole", .rate),
      ("coverArtRole", nil), ("commentRole", .rate), ("podcastRole", nil), ("streamRole", .listen),
      ("shareRole", nil), ("videoConversionRole", nil),
    ] {
      user.add(role, needed.map { right.includes($0) } ?? false)
    }
    user.add("jukeboxRole", rights.mayUseJukebox)
    user.add("folder", numbers: roots)
    return user
  }

  private func scanStatus() throws -> SubsonicObject {
    let progress = scans.progress
    var status = SubsonicObject()
    status.add("scanning", progress != nil)
    status.add("count", try progress?.foundCount ?? browsing.current().fileIDs.count)
    return .holding("scanStatus", status)
  }
}
