internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering

/// Albums for people and programs.
enum AlbumText {
  static func name(_ album: Album) -> String {
    let title = title(album)
    return album.artist.isEmpty ? title : "\(album.artist) – \(title)"
  }

  private static func title(_ album: Album) -> String { album.title.isEmpty ? AlbumNames.unknownTitle : album.title }

  static func columns(isDetailed: Bool) -> [TextTable.Column] {
    var columns = [
      TextTable.Column(title: "ID", isAlignedRight: true, canShrink: false),
      TextTable.Column(title: "ARTIST", dispensability: 1, ownLeastWidth: 10),
      TextTable.Column(title: "ALBUM"),
      TextTable.Column(title: "YEAR", isAlignedRight: true, canShrink: false, dispensability: 2),
      TextTable.Column(title: "TRACKS", isAlignedRight: true, canShrink: false),
      TextTable.Column(title: "DISCS", isAlignedRight: true, canShrink: false, dispensability: 5),
      TextTable.Column(title: "LENGTH", isAlignedRight: true, canShrink: false, dispensability: 4),
      TextTable.Column(title: "EDITIONS", isAlignedRight: true, canShrink: false, dispensability: 3),
    ]
    if isDetailed {
      columns.append(TextTable.Column(title: "LUFS", isAlignedRight: true, canShrink: false, dispensability: 6))
      // In 80 columns it goes on in more lines, so that the year and the editions have room.
      columns.append(TextTable.Column(title: "WHAT IS WRONG", overflow: .wraps, ownLeastWidth: 16))
    } else {
      columns.append(TextTable.Column(title: "PROBLEMS", isAlignedRight: true, canShrink: false))
    }
    return columns
  }

  static func cells(_ album: Album, faults: AlbumFaults?, loudness: Double?, isDetailed: Bool) -> [String] {
    var cells = [
      String(album.id), album.artist, title(album),
      album.year.map(String.init) ?? "",
      String(album.trackCount), album.discCount > 1 ? String(album.discCount) : "",
      DurationText.clock(album.durationInSeconds), album.editionCount > 1 ? String(album.editionCount) : "",
    ]
    if isDetailed {
      cells.append(loudness.map { NumberText.decimal($0, 1) } ?? "")
      cells.append(faults.map { sentences($0, hasTitle: !album.title.isEmpty).joined(separator: "; ") } ?? "")
    } else {
      cells.append(album.problemCount > 0 ? String(album.problemCount) : "")
    }
    return cells
  }

  /// What is wrong, in words.
  static func sentences(_ faults: AlbumFaults, hasTitle: Bool = true) -> [String] {
    var sentences: [String] = []
    if hasTitle {
      let hasDiscs =
        (faults.missingTracks + faults.doubleTracks).contains { $0.disc > 1 } || !faults.missingDiscs.isEmpty
      func list(_ places: [AlbumFaults.Place]) -> String {
        let runs = runs(places)
        let shown = runs.prefix(8).map { hasDiscs ? "\($0.disc)-\($0.text)" : $0.text }.joined(separator: ", ")
        let moreCount = runs.dropFirst(8).reduce(0) { $0 + $1.tracks.count }
        return moreCount > 0 ? "\(shown) and \(moreCount) more" : shown
      }
      func noun(_ count: Int, _ word: String) -> String { count == 1 ? word : word + "s" }
      if !faults.missingDiscs.isEmpty {
        let discs = faults.missingDiscs.prefix(8).map(String.init).joined(separator: ", ")
        let more = faults.missingDiscs.count > 8 ? " and \(faults.missingDiscs.count - 8) more" : ""
        sentences.append("\(noun(faults.missingDiscs.count, "disc")) \(discs)\(more) missing")
      }
      if !faults.missingTracks.isEmpty {
        sentences.append("\(noun(faults.missingTracks.count, "track")) \(list(faults.missingTracks)) missing")
      }
      if !faults.doubleTracks.isEmpty {
        sentences.append("\(noun(faults.doubleTracks.count, "track")) \(list(faults.doubleTracks)) duplicated")
      }
      if !faults.contradictingDiscs.isEmpty { sentences.append("files disagree about the number of tracks") }
      if faults.isPartlyNumbered { sentences.append("some tracks have no number") }
    }
    for (state, count) in faults.stateCounts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      sentences.append("\(count) \(state.rawValue)")
    }
    return sentences
  }

  /// Tracks of one disc that follow each other.
  private static func runs(_ places: [AlbumFaults.Place]) -> [PlaceRun] {
    var runs: [PlaceRun] = []
    for place in places {
      if let last = runs.last, last.disc == place.disc, last.tracks.upperBound + 1 == place.track {
        runs[runs.count - 1].tracks = last.tracks.lowerBound...place.track
      } else {
        runs.append(PlaceRun(disc: place.disc, tracks: place.track...place.track))
      }
    }
    return runs
  }

  private struct PlaceRun {
    var disc: Int
    var tracks: ClosedRange<Int>

    var text: String { tracks.count == 1 ? "\(tracks.lowerBound)" : "\(tracks.lowerBound)–\(tracks.upperBound)" }
  }

  static func json(_ album: Album, faults: AlbumFaults?, loudness: Double?) -> JSONValue {
    .object([
      "id": .integer(album.id), "key": .string(album.key), "title": .string(album.title.isEmpty ? nil : album.title),
      "artist": .string(album.artist.isEmpty ? nil : album.artist), "compilation": .bool(album.isCompilation),
      "year": .integer(album.year), "tracks": .integer(album.trackCount), "discs": .integer(album.discCount),
      "editions": .integer(album.editionCount), "files": .integer(album.fileCount),
      "problems": .integer(album.problemCount),
      "duration_seconds": .number(album.durationInSeconds), "loudness_lufs": .number(loudness),
      "cover": .string(album.coverSource?.rawValue),
      "wrong": faults.map(AlbumDocument.wrong) ?? .null,
      "query": .string("album-id:\(album.id) edition+ album-disc+ track+"),
    ])
  }
}
