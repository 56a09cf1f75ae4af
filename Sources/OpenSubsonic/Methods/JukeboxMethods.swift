internal import Base
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaPlaying

/// The sound device of the server, for those whose password may use it.
struct JukeboxMethods {
  let jukebox: Jukebox

  var all: [String: SubsonicMethod] { ["jukeboxControl": SubsonicMethod(.listen, control)] }

  private enum Action: String {
    case get, status, set, start, stop, skip, add, clear, remove, shuffle, setGain
  }

  private func control(_ call: SubsonicCall) throws -> SubsonicObject {
    let name = try call.parameters.required("action")
    guard let action = Action(rawValue: name) else { throw SubsonicError.invalid("action", name) }
    guard let account = call.account, account.mayUseJukebox else {
      throw SubsonicError(.notAllowed, "this password may not use the jukebox")
    }
    try run(action, call, account)
    return try document(call, withItems: action == .get)
  }

  private func run(_ action: Action, _ call: SubsonicCall, _ account: Account) throws {
    let parameters = call.parameters
    switch action {
    case .get, .status: break
    case .start: try playing { try jukebox.start(Jukebox.Hearing(account)) }
    case .stop: jukebox.stop()
    case .skip:
      let index = try index(parameters)
      let seconds = try parameters.integer("offset", in: 0...1_000_000_000) ?? 0
      try playing {
        guard try jukebox.skip(to: index, seconds: Double(seconds), Jukebox.Hearing(account)) else {
          throw SubsonicError.invalid("index", "\(index)")
        }
      }
    case .set:
      let items = try items(call)
      jukebox.change { known, current in
        let key = known.indices.contains(current) ? known[current].key : nil
        known = items
        // If a song is there twice, the same place is meant.
        if known.indices.contains(current), known[current].key == key { return .at(current) }
        return known.firstIndex { $0.key == key }.map { .at($0) } ?? .gone(next: 0)
      }
    case .add:
      let items = try items(call)
      jukebox.change { known, current in
        known += items
        return .at(current)
      }
    case .clear:
      jukebox.stop()
      jukebox.change { known, _ in
        known = []
        return .gone(next: 0)
      }
    case .remove:
      let index = try index(parameters)
      var isThere = false
      jukebox.change { known, current in
        isThere = known.indices.contains(index)
        guard isThere else { return .at(current) }
        known.remove(at: index)
        return index == current ? .gone(next: index) : .at(index < current ? current - 1 : current)
      }
      guard isThere else { throw SubsonicError.invalid("index", "\(index)") }
    case .shuffle:
      jukebox.change { known, current in
        guard known.indices.contains(current) else { return .gone(next: 0) }
        // The one that plays becomes the first, so that all others follow.
        let first = known.remove(at: current)
        known = [first] + known.shuffled()
        return .at(0)
      }
    case .setGain:
      let text = try parameters.required("gain")
      guard let gain = DecimalText.parse(text), (0...1).contains(gain) else {
        throw SubsonicError.invalid("gain", text)
      }
      jukebox.setVolume(gain)
    }
  }

  private func playing(_ body: () throws -> Void) throws {
    do { try body() } catch let error as PlayingError { throw SubsonicError(.general, error.description) }
  }

  private func index(_ parameters: Fields) throws -> Int {
    guard let index = try parameters.integer("index", in: -1...Int64(Int32.max)) else {
      throw SubsonicError.missing("index")
    }
    return Int(index)
  }

  private func items(_ call: SubsonicCall) throws -> [Jukebox.Item] {
    let ids = call.parameters.values("id")
    try SongList.requireRoom(for: ids.count)
    return try call.reading { library in
      try ids.map { id in
        guard let key = ContentHash(hexadecimal: id) else { throw SubsonicError.notFound("song") }
        return Jukebox.Item(key: key, recordingID: try library.recordingID(ofSong: id))
      }
    }
  }

  private func document(_ call: SubsonicCall, withItems: Bool) throws -> SubsonicObject {
    let status = jukebox.status
    var object = SubsonicObject()
    object.add("currentIndex", status.index)
    object.add("playing", status.isPlaying)
    // Subsonic and clients have the first; the schema of OpenSubsonic has the second.
    for name in ["gain", "volume"] { object.add(name, status.volume) }
    object.add("position", Int(status.positionInSeconds))
    guard withItems else { return .holding("jukeboxStatus", object) }
    let items = status.items
    object.add(
      "entry",
      try call.reading { library in
        library.items(items.count) { library, range, take in
          for part in range.parts() {
            let found = try part.compactMap { place in
              try library.store.songs.fileID(key: items[place].key).map { (place: place, file: $0) }
            }
            var isEnough = false
            try library.store.songs.forEach(
              in: found.map(\.file)[...], of: library.personID, withPresets: library.view.hearing.hearsPresets
            ) { index, song in
              isEnough = !take(found[index].place, library.document(of: song))
              return !isEnough
            }
            if isEnough { return }
          }
        }
      })
    return .holding("jukeboxPlaylist", object)
  }
}
