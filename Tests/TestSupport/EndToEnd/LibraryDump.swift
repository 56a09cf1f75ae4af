import Foundation

/// What a library says of its files, as text to compare: everything except ids, times of storing and counts of attempts.
///
/// Two libraries of the same folders must agree, whatever happened while they were created. Missing files, and recordings
/// that no file has, are left out: a new library cannot know them.
package struct LibraryDump: Equatable, Sendable, CustomStringConvertible {
  package var lines: Set<String>

  package static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")
  package static let absence = "the sqlite3 shell is not installed"

  package init(_ deadwax: DeadwaxCommand) async throws {
    // Immutable: the shell must not leave files of its own beside the library.
    let address = "file:\(deadwax.library.path)?immutable=1"
    let outcome = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/sqlite3"), ["-bail", "-ascii", address, Self.statements])
    guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
    // The shell ends each row with this character.
    lines = Set(outcome.text.split(separator: "\u{1E}").map { String($0).replacing("\u{1F}", with: " | ") })
  }

  package var description: String { lines.sorted().joined(separator: "\n") }

  /// The first rows that only one of the two has, for the message of a failure.
  package func difference(from other: LibraryDump) -> String {
    let mine = lines.subtracting(other.lines).sorted().prefix(10).map { "+ \($0)" }
    let theirs = other.lines.subtracting(lines).sorted().prefix(10).map { "- \($0)" }
    return (mine + theirs).joined(separator: "\n")
  }

  private static let statements = """
    SELECT 'file', root.path_text, hex(file.path), file.path_text, name_text, extension, size_bytes, mtime_ns, last_state,
           file.problem_code, file.problem_reason, file.problem_position_s, notes, hex(audio.hash), hex(stream.hash),
           stream.hash_version, container, declared_frames, file.decoded_frames, file.delay_frames, file.padding_frames,
           file.duration_s, file.statement, title, artist, album, albumartist, genre, composer, comment, year, date, track,
           track_total, disc, disc_total, search_text, search_more,
           (SELECT group_concat(name || '=' || position || '=' || value, ';')
              FROM (SELECT * FROM file_tag WHERE file_id = file.id ORDER BY name, position)),
           (SELECT group_concat(hex(hash) || picture_type || caption, ';')
              FROM (SELECT * FROM file_artwork JOIN artwork ON artwork.id = artwork_id
                     WHERE file_id = file.id ORDER BY position))
      FROM file JOIN root ON root.id = root_id LEFT JOIN audio ON audio.id = file.audio_id
           LEFT JOIN stream ON stream.id = stream_id
     WHERE missing_since IS NULL;
    SELECT 'stream', hex(stream.hash), hash_version, payload_bytes, codec, bits, bitrate_bps, hex(audio.hash)
      FROM stream JOIN audio ON audio.id = audio_id
     WHERE stream.id IN (SELECT stream_id FROM file WHERE missing_since IS NULL);
    SELECT 'audio', hex(hash), basis, statement, sample_rate_hz, channels, decoded_frames, delay_frames, padding_frames,
           state, problem_code, problem_reason, problem_position_s, measures.version, measures.parameters,
           sample_peak_dbfs, rms_dbfs, crest_db, dc_offset, clipped_samples, silence_start_s, silence_end_s,
           nonfinite_samples, loudness_lufs, loudness_range_lu, momentary_max_lufs, short_term_max_lufs, true_peak_dbtp,
           centroid_hz, rolloff85_hz, rolloff95_hz, flatness, cutoff_hz, cutoff_confidence
      FROM audio LEFT JOIN measures ON measures.audio_id = audio.id
     WHERE audio.id IN (SELECT audio_id FROM file WHERE missing_since IS NULL);
    SELECT 'product', hex(hash), kind, version, parameters, byte_count, checksum, length(bytes)
      FROM product JOIN audio ON audio.id = audio_id LEFT JOIN product_blob ON product_id = product.id
     WHERE audio_id IN (SELECT audio_id FROM file WHERE missing_since IS NULL);
    """
}
