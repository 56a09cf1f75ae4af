internal import LibraryServing
internal import LibraryTracks
internal import MediaRendering

/// Songs that sound like others, by what was measured of their sound.
struct SimilarityMethods {
  let similarity: SimilarityCache

  var all: [String: SubsonicMethod] {
    [
      "getSonicSimilarTracks": SubsonicMethod(.listen, sonicSimilarTracks),
      "findSonicPath": SubsonicMethod(.listen, sonicPath),
      "getSimilarSongs": SubsonicMethod(.listen) { try similarSongs($0, "similarSongs") },
      "getSimilarSongs2": SubsonicMethod(.listen) { try similarSongs($0, "similarSongs2") },
    ]
  }

  private let largestCount: Int64 = 500

  private func sonicSimilarTracks(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    let count = Int(try call.parameters.integer("count", in: 0...largestCount) ?? 10)
    return try call.reading { library in
      let recording = try library.recordingID(ofSong: id)
      let found = try similarity.similarity(in: library.store).matches(toRecording: recording, count: count)
      return matches(found.map { ($0.track.fileID, $0.likeness) }, library)
    }
  }

  private func sonicPath(_ call: SubsonicCall) throws -> SubsonicObject {
    let (start, end) = (try call.parameters.required("startSongId"), try call.parameters.required("endSongId"))
    let count = Int(try call.parameters.integer("count", in: 1...largestCount) ?? 25)
    return try call.reading { library in
      let (first, last) = (try library.recordingID(ofSong: start), try library.recordingID(ofSong: end))
      let alike = try similarity.similarity(in: library.store)
      let tracks = try alike.playlist(from: first, to: last, count: count)
      let likenesses = try alike.likenesses(of: tracks.map(\.recordingID), to: first)
      return matches(zip(tracks, likenesses).map { ($0.fileID, $1 ?? 0) }, library)
    }
  }

  private func matches(
    _ found: [(fileID: Int64, likeness: Double)], _ library: SubsonicLibrary
  ) -> SubsonicObject {
    var answer = SubsonicObject()
    answer.add(
      "sonicMatch",
      library.songs(found.map(\.fileID)) { place, song, view in
        var match = SubsonicObject.holding("entry", SongDocument.object(song, view))
        match.add("similarity", found[place].likeness.rounded(toDigits: 6))
        return match
      })
    return answer
  }

  /// Songs like a song, or like those of an album or artist together. An artist's own are among them, as a station that
  /// begins with the artist needs it; those of an album and the song itself are not.
  private func similarSongs(_ call: SubsonicCall, _ name: String) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    let count = Int(try call.parameters.integer("count", in: 0...largestCount) ?? 50)
    return try call.reading { library in
      let (browseIndex, alike) = (library.browseIndex, try similarity.similarity(in: library.store))
      var own: [Int64] = []
      if let artist = browseIndex.artist(id: id) {
        own = browseIndex.artists[artist].albums.flatMap { browseIndex.fileIDs(ofAlbum: $0) }
      } else if let album = browseIndex.album(id: id) {
        own = browseIndex.fileIDs(ofAlbum: album)
      } else {
        own = [try library.fileID(ofSong: id)]
      }
      // So many stand for an artist with more.
      let sample = stride(from: 0, to: own.count, by: max(1, own.count / 200)).map { own[$0] }
      let recordings = try sample.compactMap { try library.store.recordings.id(ofFile: $0) }
      let found = try alike.matches(
        toMeanOf: recordings, count: count, withThem: browseIndex.artist(id: id) != nil)
      return .holding(name, "song", library.songs(found.map(\.track.fileID)))
    }
  }
}

extension Double {
  fileprivate func rounded(toDigits count: Int) -> Double {
    let factor = (0..<count).reduce(1.0) { factor, _ in factor * 10 }
    return (self * factor).rounded() / factor
  }
}
