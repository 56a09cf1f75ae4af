internal import COpenMPT
import MediaModel

/// Plays a tracker module once through libopenmpt: at 48 kHz, in stereo, with its default settings.
///
/// The length is known only when it was played. A frame is found by playing from the start.
final class ModuleDecoder: DecodingEngine {
  static let sampleRateInHz = 48_000
  /// Larger files are no modules: the largest of collections have some 20 MB.
  static let maximumByteCount: Int64 = 64 << 20

  let format = AudioFormat(sampleRateInHz: sampleRateInHz, channelCount: 2, sampleEncoding: .floatingPoint)
  let mediaFormat: MediaFormat
  let notes: [String]
  let ownProblem: Problem? = nil
  let streamProblem: Problem? = nil

  /// How many frames are played at once: where the library is asked for less, it rounds in another way.
  private static let framesPerBlock = 4096

  private let file: [UInt8]
  private var module: Handle
  private var position: Int64 = 0
  /// The last frames that were played; those before `firstPending` are given out.
  private var samples = [Float](repeating: 0, count: 2 * framesPerBlock)
  private var firstPending = 0
  private var frameCount = 0

  private final class Handle {
    let pointer: OpaquePointer

    init(_ file: [UInt8]) throws(DecodingError) {
      guard let pointer = file.withUnsafeBytes({ dw_module_open($0.baseAddress, $0.count) }) else {
        throw .damaged(Problem(code: "undecodable", reason: "libopenmpt cannot open the module"))
      }
      self.pointer = pointer
    }

    deinit { dw_module_close(pointer) }
  }

  /// - Parameter codec: the format of the module.
  init(_ bytes: BufferedBytes, codec: Codec?) throws(DecodingError) {
    if let problem = dw_openmpt_load() { throw .missingLibrary(reason: String(cString: problem)) }
    guard bytes.byteCount <= Self.maximumByteCount else {
      throw .unsupported(reason: "a module of more than \(Self.maximumByteCount >> 20) MiB")
    }
    file = try bytes.file.bytes(at: 0, count: Int(bytes.byteCount))
    module = try Handle(file)
    notes = codec == .impulseTrackerModule && Self.hasRandomSwing(file) ? ["random-swing"] : []
    mediaFormat = MediaFormat(
      container: .trackerModule, codec: codec, sampleRateInHz: Self.sampleRateInHz, channelCount: 2)
  }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    if firstPending == frameCount {
      frameCount = samples.withUnsafeMutableBufferPointer {
        dw_module_read(module.pointer, Int32(Self.sampleRateInHz), $0.baseAddress, Self.framesPerBlock)
      }
      firstPending = 0
    }
    let count = min(frameCount - firstPending, buffer.count / 2)
    samples.withUnsafeBufferPointer {
      _ = buffer.update(fromContentsOf: $0[2 * firstPending..<2 * (firstPending + count)])
    }
    firstPending += count
    position += Int64(count)
    return count
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    if frame < position {
      module = try Handle(file)
      (position, firstPending, frameCount) = (0, 0, 0)
    }
    return position
  }

  /// Whether an instrument has a random volume or panning: such a module sounds different each time.
  ///
  /// Source: ITTECH.TXT of Impulse Tracker 2.14.
  private static func hasRandomSwing(_ file: [UInt8]) -> Bool {
    guard let orderCount = file.littleEndian(UInt16.self, at: 0x20),
      let count = file.littleEndian(UInt16.self, at: 0x22),
      let flags = file.littleEndian(UInt16.self, at: 0x2C), flags & 4 != 0
    else { return false }
    return (0..<Int(count)).contains { number in
      guard let offset = file.littleEndian(UInt32.self, at: 0xC0 + Int(orderCount) + 4 * number),
        file.has("IMPI", at: Int(offset)), let swing = file.littleEndian(UInt16.self, at: Int(offset) + 0x1A)
      else { return false }
      return swing != 0
    }
  }
}

/// A tracker module: its stream is all of the file.
struct ModuleLayout: StreamLayout {
  let codec: Codec?

  /// Only a decode tells.
  var declaration: StreamDeclaration { StreamDeclaration() }

  func finish(_ hashers: StreamHashers, _ bytes: BufferedBytes) -> Int64? {
    hashers.current.begin(.module)
    hashers.current.note(hashers.former)
    return hashers.former.byteCount
  }

  func makeEngine(
    _ bytes: BufferedBytes, in container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    try ModuleDecoder(bytes, codec: codec)
  }
}

extension StreamHashers.Rules {
  static let module = Self("module")
}
