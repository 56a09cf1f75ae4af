internal import Foundation
internal import LibraryDatabase
internal import MediaModel

extension AlbumWriter {
  /// Numbers the editions of an album and counts its files; one without any goes, unless people decided something about it.
  func count(_ id: Int64) throws {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT file.id, album_folder, stream.codec, stream.bits, last_state, year, file.added_at, duration_s, disc, track,
                 \(ShownText.sql("title")), album_edition, album_disc, path_text, \(ShownText.sql("album")), folder,
                 measures.loudness_lufs, centroid_hz
            FROM file LEFT JOIN stream ON stream.id = file.stream_id LEFT JOIN measures ON measures.audio_id = file.audio_id
           WHERE album_id = ? AND missing_since IS NULL
           ORDER BY path_text, file.id
          """), arguments: [id])
    guard !rows.isEmpty else { return try clear(id) }
    var (year, addedAt, problemCount) = (Int?.none, Int64.max, 0)
    var tracks: [EditionTrack] = []
    var discs: [Int64: Int] = [:]
    for row in rows {
      let title: String = try row[14] ?? ""
      let disc: Int = try row[8] ?? AlbumEdition.disc(ofFile: row[13], onAlbum: title) ?? AlbumTitle.disc(title) ?? 1
      discs[try row[0]] = disc
      if try row[4] as String != "ok" { problemCount += 1 }
      if let own: Int = try row[5], own > 0 { year = min(year ?? own, own) }
      addedAt = try min(addedAt, row[6])
      guard let codec: String = try row[2] else { continue }
      try tracks.append(
        EditionTrack(
          fileID: row[0], path: row[13], folder: row[1] ?? 0, codec: codec, isLossless: row[3] as Int? != nil,
          disc: disc,
          track: row[9],
          title: row[10] ?? "", durationInSeconds: row[7] ?? 0))
    }
    // Tracks without an album have no editions.
    let isAlbum = try AlbumKey.names(of: id, db)?.title.isEmpty == false
    let editions = isAlbum ? AlbumEditions.editions(of: tracks) : [tracks]
    var numbers: [Int64: Int] = [:]
    for (index, edition) in editions.enumerated() { for track in edition { numbers[track.fileID] = index + 1 } }
    for row in rows {
      let (number, disc) = try (numbers[row[0]], discs[row[0]])
      guard try row[11] as Int? != number || row[12] as Int? != disc else { continue }
      try run("UPDATE file SET album_edition = ?, album_disc = ? WHERE id = ?", [number, disc, row[0] as Int64])
    }
    let inOrder = try rows.map { row in
      try (row: row, place: (numbers[row[0]] ?? .max, discs[row[0]] ?? 1, row[9] as Int? ?? .max))
    }.sorted { $0.place < $1.place }
    let cover = try isAlbum ? cover(of: id, files: inOrder.map { try ($0.row[0], [$0.row[15], $0.row[1]]) }) : nil
    let best = editions.first ?? []
    let sound = try sound(of: rows.filter { row in try numbers[row[0]] == 1 })
    try run(
      """
      UPDATE album SET year = :year, added_at = :added, file_count = :files, problem_count = :problems, edition_count = :editions,
             track_count = :tracks, disc_count = :discs, duration_s = :duration, cover = :cover, cover_source = :source,
             loudness_lufs = :loudness, brightness_hz = :brightness
       WHERE id = :id
      """,
      [
        "id": id, "year": year, "added": addedAt, "files": rows.count, "problems": problemCount,
        "editions": max(1, editions.count), "tracks": best.count, "discs": max(1, Set(best.map(\.disc)).count),
        "duration": best.reduce(0) { $0 + $1.durationInSeconds }, "cover": cover?.hash, "source": cover?.source,
        "loudness": sound.loudnessInLUFS, "brightness": sound.brightnessInHz,
      ])
  }

  /// The mean loudness of tracks by their power, and the mean of their spectral centroids in octaves, both by their lengths; nil if
  /// nothing is known.
  private func sound(of tracks: [Row]) throws -> (loudnessInLUFS: Double?, brightnessInHz: Double?) {
    var (power, measuredSeconds, octaves, seenSeconds) = (0.0, 0.0, 0.0, 0.0)
    for row in tracks {
      let (duration, loudness, centroid): (Double?, Double?, Double?) = try (row[7], row[16], row[17])
      guard let duration, duration > 0 else { continue }
      if let loudness {
        power += duration * pow(10, loudness / 10)
        measuredSeconds += duration
      }
      if let centroid, centroid > 0 {
        octaves += duration * log2(centroid)
        seenSeconds += duration
      }
    }
    return (
      power > 0 ? 10 * log10(power / measuredSeconds) : nil, seenSeconds > 0 ? exp2(octaves / seenSeconds) : nil
    )
  }

  private func clear(_ id: Int64) throws {
    guard let names = try AlbumKey.names(of: id, db) else { return }
    let hasFiles = try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file WHERE album_id = ?)"), arguments: [id])
    let isDecided = try AlbumDecisions.has(names, db)
    if hasFiles == true || isDecided {
      try run(
        """
        UPDATE album SET file_count = 0, problem_count = 0, edition_count = 0, track_count = 0, disc_count = 0, duration_s = 0,
                         cover = NULL, cover_source = NULL, loudness_lufs = NULL, brightness_hz = NULL
         WHERE id = ?
        """, [id])
    } else {
      try run("DELETE FROM album WHERE id = ?", [id])
    }
  }
}
