internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import UserData

/// Playlists: the lists of the library that belong to the person, and those of others that are public.
struct PlaylistMethods {
  let accounts: AccountFile?

  var all: [String: SubsonicMethod] {
    [
      "getPlaylists": SubsonicMethod(.listen, playlists),
      "getPlaylist": SubsonicMethod(.listen) { call in
        let id = try number(try call.parameters.required("id"))
        return try call.reading { .holding("playlist", try document(id, call, $0)) }
      },
      "createPlaylist": SubsonicMethod(.rate, create),
      "updatePlaylist": SubsonicMethod(.rate, update),
      "deletePlaylist": SubsonicMethod(.rate) { call in
        let id = try number(try call.parameters.required("id"))
        try call.writing { store, person in try store.lists.delete(id, of: person) }
        return SubsonicObject()
      },
    ]
  }

  private static let prefix = "pl-"

  private func number(_ id: String) throws(SubsonicError) -> Int64 {
    guard id.hasPrefix(Self.prefix), let number = Int64(id.dropFirst(Self.prefix.count)) else {
      throw .notFound("playlist")
    }
    return number
  }

  private func playlists(_ call: SubsonicCall) throws -> SubsonicObject {
    if let other = call.parameters["username"], other != call.user {
      throw SubsonicError(.notAllowed, "this password shows only the playlists of \(call.user)")
    }
    return try call.reading { library in
      let playlists = try library.store.lists.visible(to: library.personID)
      let items = library.items(playlists.count) { library, range, take in
        for place in range {
          guard take(place, try object(playlists[place], call, library)) else { return }
        }
      }
      return .holding("playlists", "playlist", items)
    }
  }

  private func object(
    _ playlist: PersonList, _ call: SubsonicCall, _ library: SubsonicLibrary
  ) throws -> SubsonicObject {
    let size = try library.store.lists.size(of: playlist)
    let heardSeconds = try library.heardSeconds(ofFiles: library.store.lists.fileIDs(of: playlist))
    var object = SubsonicObject()
    object.add("id", "\(Self.prefix)\(playlist.id)")
    object.add("name", playlist.name)
    object.add("comment", playlist.comment)
    object.add("owner", owner(of: playlist, call, library))
    object.add("public", playlist.isPublic)
    object.add("songCount", size.fileCount)
    object.add("duration", WholeSeconds.of(heardSeconds ?? size.durationInSeconds))
    object.add("created", Timestamp(secondsSince1970: playlist.createdAt).description)
    object.add("changed", Timestamp(secondsSince1970: playlist.changedAt).description)
    object.add("readonly", playlist.query != nil || playlist.personID != library.personID)
    return object
  }

  /// A user name, by which clients know what they may change: one person can have several, of which who calls has given one.
  private func owner(of playlist: PersonList, _ call: SubsonicCall, _ library: SubsonicLibrary) -> String {
    if playlist.personID == library.personID { return call.user }
    guard playlist.personID == Person.ownerID else { return playlist.owner }
    return (try? accounts?.accounts())?.all.first(where: \.isOwner)?.user ?? playlist.owner
  }

  private func document(_ id: Int64, _ call: SubsonicCall, _ library: SubsonicLibrary) throws -> SubsonicObject {
    let playlist = try library.store.lists.list(id, visibleTo: library.personID)
    var object = try self.object(playlist, call, library)
    object.add("entry", library.songs(try library.store.lists.fileIDs(of: playlist)))
    return object
  }

  private func create(_ call: SubsonicCall) throws -> SubsonicObject {
    let (known, name) = (call.parameters["playlistId"], call.parameters["name"])
    try SongList.requireRoom(for: call.parameters.values("songId").count)
    let songs = try recordings(call, "songId")
    let id: Int64
    if let known {
      id = try number(known)
      var change = PlaylistChange()
      (change.name, change.content) = (name, songs)
      try call.writing { [change] store, person in try store.lists.change(id, change, of: person) }
    } else if let name {
      id = try call.writing { store, person in try store.lists.add(name, recordingIDs: songs, of: person) }
    } else {
      throw SubsonicError.missing("name")
    }
    return try call.reading { .holding("playlist", try document(id, call, $0)) }
  }

  private func update(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try number(try call.parameters.required("playlistId"))
    var change = PlaylistChange()
    change.name = call.parameters["name"]
    if call.parameters.has("comment") { change.comment = PersonList.cutComment(call.parameters["comment"] ?? "") }
    if let isPublic = try call.parameters.flag("public") { change.isPublic = isPublic }
    change.added = try recordings(call, "songIdToAdd")
    try SongList.requireRoom(for: call.parameters.values("songIndexToRemove").count)
    change.removedPlaces = try call.parameters.values("songIndexToRemove").map { text throws(SubsonicError) in
      Int(try Fields.integer(text, of: "songIndexToRemove"))
    }
    try call.writing { [change] store, person in
      if !change.added.isEmpty {
        try SongList.requireRoom(for: try store.lists.entryCount(of: id) + change.added.count)
      }
      try store.lists.change(id, change, of: person)
    }
    return SubsonicObject()
  }

  private func recordings(_ call: SubsonicCall, _ name: String) throws -> [Int64] {
    let ids = call.parameters.values(name)
    return try call.reading { library in try ids.map { try library.recordingID(ofSong: $0) } }
  }
}
