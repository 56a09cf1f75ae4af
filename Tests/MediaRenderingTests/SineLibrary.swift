import Base
import DecodingService
import Glibc
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaRendering
import MediaStore
import Synchronization
import TestSupport

/// A library with one track: two seconds of a sine of 1 kHz in both channels, which is decoded from memory.
final class SineLibrary {
  static let rate = 44_100
  static let frameCount = 2 * rate
  static let amplitude = 0.25
  static let samples: [Float] = {
    let sine = Signal.sine(hz: 1_000, sampleRateInHz: rate, frameCount: frameCount, amplitude: amplitude)
    return Signal.interleave([sine, sine])
  }()

  static let path = BytePath("/music/sine.wav")
  static let hash = ContentHash(high: 0xFEED, low: 1)

  /// What is stored, chosen so that nothing else can give it: not what the sine would be.
  static let peaks = WaveformPeaks(
    sampleRateInHz: rate, framesPerPoint: 256, channelCount: 1, resolution: .bits8,
    values: (0..<(frameCount + 255) / 256).flatMap { [Int16(-($0 % 100)), Int16($0 % 90)] })
  static let spectrum: SpectrumSummary = {
    let bands = SpectrumSummary.Levels(
      meanInDB: (0..<80).map { -90 + Float($0) / 2 }, maximumInDB: (0..<80).map { -70 + Float($0) / 2 })
    let bins = SpectrumSummary.Levels(
      meanInDB: Array(repeating: -60, count: 1025), maximumInDB: Array(repeating: -50, count: 1025))
    return SpectrumSummary(sampleRateInHz: rate, mix: bands, channels: [bands, bands], bins: bins)
  }()
  static let spectrogram = SpectrumGrid(columnsPerSecond: 4, bandCount: 80, steps: Array(repeating: 100, count: 8 * 80))

  let folder: TemporaryFolder
  let store: MediaStore
  let cache = SegmentCache()

  /// - Parameter products: What is stored besides the format.
  init(
    products: [Product] = [
      Product(kind: .waveform, version: 1, parameters: "", bytes: peaks.datBytes),
      Product(kind: .spectrum, version: 1, parameters: "", bytes: spectrum.blob),
      Product(kind: .spectrogram, version: 1, parameters: "", bytes: spectrogram.blob),
    ]
  ) throws {
    folder = try TemporaryFolder()
    store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    let root = try store.roots.add(BytePath("/music"), volume: "v1")
    let format = MediaFormat(
      container: .wav, codec: .pcmF32, sampleRateInHz: Self.rate, channelCount: 2, bitsPerSample: 32,
      declaredFrameCount: Int64(Self.frameCount), decodedFrameCount: Int64(Self.frameCount))
    let extraction = Extraction(
      state: .ok, format: format, stream: StreamIdentity(hash: Self.hash, byteCount: 12_345), decoded: DecodedStream(),
      products: products)
    let status = FileStatus(
      byteCount: 1_000, modificationTimeInNanoseconds: 1, changeTimeInNanoseconds: 2, inode: 3, device: 4)
    try store.scans.apply([
      .extracted(
        FileRecord(
          rootID: root.id, path: BytePath("sine.wav"), status: status, extraction: extraction, extractorVersion: 1))
    ])
  }

  deinit { try? store.close() }

  func track() throws -> TrackReference { try store.tracks.resolve(Self.path) }

  /// The track with its samples in memory.
  ///
  /// - Parameter frameCount: Of the decoded samples; fewer than the library knows if the file was cut.
  func source(frameCount: Int = SineLibrary.frameCount) throws -> RecordingSource {
    try source(of: Array(Self.samples.prefix(2 * frameCount)))
  }

  /// The track with other samples, interleaved stereo.
  func source(of samples: [Float]) throws -> RecordingSource {
    RecordingSource(try track(), cache: cache) { _, _ in MemorySource(samples) }
  }

  /// The track, none of whose files can be opened.
  func unreadableSource() throws -> RecordingSource {
    RecordingSource(try track(), cache: cache) { file, _ throws(SegmentReadingError) in
      throw .file(file.path, reason: "gone")
    }
  }
}

/// Interleaved stereo in memory.
final class MemorySource: SegmentSource {
  let audio: SegmentedAudio
  private let samples: [Float]

  init(_ samples: [Float], sampleRateInHz: Int = SineLibrary.rate) {
    audio = SegmentedAudio(
      hash: SineLibrary.hash, format: AudioFormat(sampleRateInHz: sampleRateInHz, channelCount: 2))
    self.samples = samples
  }

  func decode(_ frames: Range<Int64>) -> [Float] {
    let range = (2 * Int(frames.lowerBound)..<2 * Int(frames.upperBound)).clamped(to: 0..<samples.count)
    return Array(samples[range])
  }
}

/// Little-endian floats of raw samples.
func floats(_ bytes: [UInt8]) -> [Float] {
  stride(from: 0, to: bytes.count - 3, by: 4).map { start in
    Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) })
  }
}

/// The width and height that a PNG says it has.
func sizeOfPNG(_ bytes: [UInt8]) -> [Int] {
  guard bytes.count > 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return [] }
  return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
}
