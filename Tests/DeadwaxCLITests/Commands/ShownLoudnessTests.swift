import Base
import Foundation
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport

/// What `show` says of the loudness of a track and its album.
struct ShownLoudnessTests {
  let deadwax: DeadwaxCommand

  init() throws {
    deadwax = try DeadwaxCommand.called()
    let store = try MediaStore(at: deadwax.home.file("library.sqlite"), access: .createIfMissing)
    let root = try store.roots.add(BytePath("/music"), volume: "v")
    func record(_ number: UInt64, album: [String], _ measures: Measures, blockCount: Int) -> FileChange {
      var blocks = GatingHistogram()
      for _ in 0..<blockCount { blocks.insert(energy: LoudnessScale.energy(ofLoudness: Double(number) * -10)) }
      let recipe = ProductRecipe.current(.loudness)
      let extraction = Extraction(
        state: .ok, format: MediaFormat(container: .flac),
        stream: StreamIdentity(hash: ContentHash(high: 0, low: number), byteCount: 1),
        tags: Tags([Tags.Property(name: "ALBUM", values: album), Tags.Property(name: "ARTIST", values: ["Nora Vale"])]),
        measures: measures,
        products: [
          Product(kind: .loudness, version: recipe.version, parameters: recipe.parameters, bytes: blocks.blob)
        ])
      let status = FileStatus(
        byteCount: 1, modificationTimeInNanoseconds: 0, changeTimeInNanoseconds: 0, inode: number, device: 1)
      return .extracted(
        FileRecord(
          rootID: root.id, path: BytePath("\(number).flac"), status: status, extraction: extraction,
          extractorVersion: 1))
    }
    let loud = Measures(
      integratedLoudnessInLUFS: -10, loudnessRangeInLU: 6.25, momentaryMaximumInLUFS: -7.5,
      shortTermMaximumInLUFS: -8, truePeakInDBTP: 0)
    try store.scans.apply([
      record(1, album: ["Slow"], loud, blockCount: 100),
      record(2, album: ["Slow"], Measures(integratedLoudnessInLUFS: -20, truePeakInDBTP: -6), blockCount: 100),
      record(3, album: [], Measures(), blockCount: 0),
    ])
    try store.close()
  }

  @Test func `the album of a track is an object of numbers`() async throws {
    let outcome = try await deadwax.run(["show", "--json", "2"])
    let document = try #require(try JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
    let keys = try #require(document["album"] as? [String: Any]).keys
    #expect(Set(keys) == ["tracks", "measured_tracks", "loudness_lufs", "replaygain_db", "true_peak_dbtp"])
    let album = try #require(try outcome.document(TrackDocument.self).album)
    #expect(album.tracks == 2 && album.measured_tracks == 2)
    // The mean energy of both is 0.55 of the louder one; the gate, 10 LU below, keeps the quieter one.
    let loudness = try #require(album.loudness_lufs)
    #expect(abs(loudness - (-10 + 10 * log10(0.55))) < 0.001)
    #expect(abs(try #require(album.replaygain_db) - (-18 - loudness)) < 1e-9)
    #expect(album.true_peak_dbtp == 0)
  }

  @Test func `a track without an album has none`() async throws {
    let outcome = try await deadwax.run(["show", "--json", "3"])
    let document = try #require(try JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
    #expect(document["album"] is NSNull)
  }

  @Test func `people read loudness, ReplayGain and album in a row each`() async throws {
    let lines = try await deadwax.run(["show", "1"]).text.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(
      lines.contains("Loudness -10.00 LUFS, range 6.25 LU, momentary maximum -7.50 LUFS, short-term maximum -8.00 LUFS")
    )
    #expect(lines.contains("true peak 0.00 dBTP"))
    #expect(lines.contains("ReplayGain -8.00 dB, peak 1.000000"))
    #expect(lines.contains("Album 2 tracks, -12.60 LUFS, ReplayGain -5.40 dB, true peak 0.00 dBTP"))
    let silent = try await deadwax.run(["show", "3"])
    #expect(silent.status == 0 && !silent.text.contains("Loudness") && !silent.text.contains("ReplayGain"))
  }
}
