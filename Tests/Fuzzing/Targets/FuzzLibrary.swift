import Base
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import TestSupport
import UserData

/// A small library that lives as long as the process.
final class FuzzLibrary: Sendable {
  static let shared = Result { try FuzzLibrary() }

  let store: MediaStore
  private let folder: TemporaryFolder
  let fileCount: Int

  private init() throws {
    folder = try TemporaryFolder()
    store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing, timeout: .seconds(1))
    let root = try store.roots.add(BytePath("/music/Öl"), volume: "v1")
    let titles = ["Slow Tide", "", "ÀÉÎ ﬀ", "a\nb", "100 %", "\u{202E}x", "red; blue"]
    fileCount = 2 * titles.count
    try store.scans.apply(
      (0..<fileCount).map { number in
        let title = titles[number % titles.count]
        let hash = ContentHash(high: 7, low: UInt64(number))
        return .extracted(
          FileRecord(
            rootID: root.id,
            path: BytePath(Array("Ärger \(number)/".utf8) + [0xFF, UInt8(0x30 + number)] + Array(".mp3".utf8)),
            status: FileStatus(
              byteCount: 1000 + Int64(number), modificationTimeInNanoseconds: Int64(number) * 1_000_000_000_000,
              changeTimeInNanoseconds: 7, inode: UInt64(number), device: 42),
            extraction: Extraction(
              state: number % 3 == 0 ? .damaged : .ok,
              problem: number % 3 == 0 ? Problem(code: "junk", reason: "x") : nil,
              format: MediaFormat(
                container: .mpeg, codec: .mp3, sampleRateInHz: 44_100, channelCount: 1 + number % 2,
                decodedFrameCount: Int64(number) * 44_100),
              stream: StreamIdentity(hash: hash, byteCount: 12_345), decoded: DecodedStream(),
              tags: Tags([
                .init(name: "TITLE", values: [title]), .init(name: "ARTIST", values: ["Nora", "Vale"]),
                .init(name: "DATE", values: ["\(1970 + number)"]), .init(name: "BPM", values: ["\(60 + number)"]),
              ]),
              measures: Measures(samplePeakInDBFS: -0.5, rmsInDBFS: Double(-number)),
              products: [Product(kind: .waveform, version: 1, parameters: "bits=8", bytes: [1, 2, 3, UInt8(number)])]),
            extractorVersion: 3))
      })
    try store.lists.save("Late", query: "tide")
    try store.lists.save("Early", recordingIDs: [1, 2])
    if let preset = Preset.builtIn.last {
      let own = Preset(name: try PresetName("Own"), chain: preset.chain)
      try store.presets.create(own)
      _ = try store.presets.assign(named: "Own", to: store.presets.subjects(.track, of: try store.query("id:1")))
    }
  }
}
