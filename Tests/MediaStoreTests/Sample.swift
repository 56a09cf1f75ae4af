import Base
import LibraryScanning
import MediaModel

/// Made-up values for the tests of the store.
enum Sample {
  static func hash(_ number: UInt64) -> ContentHash { ContentHash(high: 0xFEED, low: number) }

  static func status(_ number: Int64 = 1) -> FileStatus {
    FileStatus(
      byteCount: 1000 + number, modificationTimeInNanoseconds: number * 1_000_000_000,
      changeTimeInNanoseconds: number * 1_000_000_000 + 7, inode: UInt64.max - UInt64(number), device: 42)
  }

  static func tags(_ values: [String: [String]]) -> Tags {
    Tags(values.map { Tags.Property(name: $0.key, values: $0.value) })
  }

  static let format = MediaFormat(
    container: .flac, codec: .flac, sampleRateInHz: 44_100, channelCount: 2, bitsPerSample: 16,
    bitRateInBitsPerSecond: 800_000, declaredFrameCount: 441_000, decodedFrameCount: 441_000)

  static let measures = Measures(
    samplePeakInDBFS: -0.5, rmsInDBFS: -14.25, crestInDB: 13.75, dcOffset: 0.001, clippedSampleCount: 3,
    leadingSilenceInSeconds: 0.5, trailingSilenceInSeconds: 2, nonFiniteSampleCount: 0)

  static func extraction(_ number: UInt64 = 1, title: String = "Slow Tide") -> Extraction {
    Extraction(
      state: .ok, format: format, stream: StreamIdentity(hash: hash(number), byteCount: 12_345),
      decoded: DecodedStream(),
      tags: tags(["TITLE": [title], "ARTIST": ["Nora Vale"]]), measures: measures,
      products: [Product(kind: .waveform, version: 1, parameters: "bits=8", bytes: [1, 2, 3, UInt8(number & 255)])])
  }

  static func record(
    _ path: String, _ extraction: Extraction = extraction(), rootID: Int64 = 1, movedFrom: Int64? = nil
  ) -> FileRecord {
    FileRecord(
      rootID: rootID, path: BytePath(path), status: status(), extraction: extraction, extractorVersion: 3,
      movedFrom: movedFrom)
  }
}
