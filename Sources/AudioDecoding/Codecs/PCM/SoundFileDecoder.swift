internal import CSndFile
import MediaModel
import Synchronization

/// Decodes through libsndfile: PCM, passed to it as headerless samples, and the formats that it must parse itself.
///
/// For PCM its chunk parsers are not used, because ``PCMLayout`` has found and checked the samples.
final class SoundFileDecoder: DecodingEngine {
  /// Guards the process-wide error that a failed open leaves behind (libsndfile issue 279).
  private static let opening = Mutex(())

  let format: AudioFormat
  let mediaFormat: MediaFormat
  let ownProblem: Problem?
  private(set) var streamProblem: Problem?
  let notes: [String]

  private let source: SoundFileSource
  private var handle: OpaquePointer
  private let declaredFrameCount: Int64?
  /// Whether decoding depends on everything before, so that a position can be reached only from the start.
  private let hasMemory: Bool
  private let layout: PCMLayout
  /// The end of the recording, if the encoder had to pad its last block, or added one that is all padding.
  private let lastFrame: Int64?
  private var position: Int64 = 0
  /// nil unless the samples are to be hashed.
  private let hasher: SampleHasher?
  /// Room for samples that do not fit into those of the result.
  private var doubles: [Double] = []

  init(
    _ file: FileBytes, layout: PCMLayout, container: Container, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingError) {
    self.layout = layout
    notes = layout.notes
    ownProblem = layout.ownProblem
    hasher = options.hashesSamples ? SampleHasher.Form(layout.codec).flatMap { SampleHasher($0) } : nil
    source = SoundFileSource(file, range: layout.rawFormat == nil ? layout.whole : layout.alignedData)
    var info: SF_INFO
    (handle, info) = try Self.open(source, layout: layout)
    do throws(DecodingError) {
      format = try .checked(
        sampleRateInHz: Int(info.samplerate), channelCount: Int(info.channels),
        sampleEncoding: layout.isInteger ? .integer : .floatingPoint, channelMask: layout.channelMask)
    } catch {
      sf_close(handle)
      throw error
    }
    hasMemory = layout.codec == .gsm610 || layout.rawFormat == nil && layout.codec == nil
    let isLengthKnown = layout.rawFormat == nil && info.frames > 0 && info.frames < Int64.max / 4096
    declaredFrameCount = layout.declaredFrameCount ?? (isLengthKnown ? info.frames : nil)
    lastFrame = layout.declaredFrameCount.flatMap {
      isLengthKnown && layout.isCut($0, whole: info.frames) ? $0 : nil
    }
    mediaFormat = layout.mediaFormat(container: container, format: format, declaredFrameCount: declaredFrameCount)
  }

  deinit { sf_close(handle) }

  private static func open(
    _ source: SoundFileSource, layout: PCMLayout
  ) throws(DecodingError) -> (OpaquePointer, SF_INFO) {
    var io = SF_VIRTUAL_IO(
      get_filelen: soundFileLength, seek: soundFileSeek, read: soundFileRead, write: soundFileWrite,
      tell: soundFileTell)
    var info = SF_INFO()
    if let raw = layout.rawFormat {
      info.format = raw
      info.samplerate = Int32(clamping: layout.sampleRateInHz)
      info.channels = Int32(clamping: layout.channelCount)
    }
    try DecodingError.check(loading: dw_sndfile_load())
    source.offset = 0
    let context = Unmanaged.passUnretained(source).toOpaque()
    var handle: OpaquePointer?
    var reason = ""
    opening.withLock { _ in
      handle = sf_open_virtual(&io, Int32(SFM_READ), &info, context)
      if handle == nil { reason = String(cString: sf_strerror(nil)) }
    }
    if let failure = source.failure { throw failure }
    guard let handle else { throw .damaged(Problem(code: "corrupt", reason: "libsndfile: \(reason)")) }
    return (handle, info)
  }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    let wanted = min(Int64(buffer.count / format.channelCount), lastFrame.map { max(0, $0 - position) } ?? .max)
    let count =
      hasher.map { readAndHash(into: buffer, frameCount: wanted, $0) }
      ?? sf_readf_float(handle, buffer.baseAddress, wanted)
    if let failure = source.failure { throw failure }
    if sf_error(handle) != 0, streamProblem == nil {
      streamProblem = Problem(code: "corrupt", reason: "libsndfile: \(String(cString: sf_strerror(handle)))")
    }
    position += max(0, count)
    return Int(max(0, count))
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    let target = min(frame, declaredFrameCount ?? frame)
    if !hasMemory, sf_seek(handle, target, SEEK_SET) == target {
      position = target
      return target
    }
    let (new, _) = try Self.open(source, layout: layout)
    sf_close(handle)
    handle = new
    position = 0
    return 0
  }

  func finishSampleHash() -> ContentHash? { hasher?.finish(format) }

  /// Reads samples as they are stored, hashes them, and converts them as the library does.
  private func readAndHash(
    into buffer: UnsafeMutableBufferPointer<Float>, frameCount: Int64, _ hasher: SampleHasher
  ) -> Int64 {
    let channelCount = format.channelCount
    switch hasher.form {
    // The library reads none.
    case .dsd: return 0
    case .int:
      // Integers and floats are of one size: the result itself is the room for both.
      guard let room = UnsafeMutableRawPointer(buffer.baseAddress) else { return 0 }
      let integers = room.assumingMemoryBound(to: Int32.self)
      let count = max(0, sf_readf_int(handle, integers, frameCount))
      hasher.add(UnsafeRawBufferPointer(start: room, count: 4 * Int(count) * channelCount))
      FullScale.convert(room, to: room, count: Int(count) * channelCount)
      return count
    case .f32:
      let count = max(0, sf_readf_float(handle, buffer.baseAddress, frameCount))
      hasher.add(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[..<(Int(count) * channelCount)])))
      return count
    case .f64:
      let sampleCount = Int(frameCount) * channelCount
      if doubles.count < sampleCount {
        doubles.append(contentsOf: repeatElement(0, count: sampleCount - doubles.count))
      }
      return doubles.withUnsafeMutableBufferPointer { doubles in
        let count = max(0, sf_readf_double(handle, doubles.baseAddress, frameCount))
        let read = UnsafeBufferPointer(rebasing: doubles[..<(Int(count) * channelCount)])
        hasher.add(UnsafeRawBufferPointer(read))
        for index in read.indices { buffer[index] = Float(read[index]) }
        return count
      }
    }
  }
}

/// The state of libsndfile's callbacks: a range of the descriptor with an offset of its own.
final class SoundFileSource {
  private let file: FileBytes
  private let range: Range<Int64>
  /// Within the range.
  var offset: Int64 = 0
  private(set) var failure: DecodingError?

  init(_ file: FileBytes, range: Range<Int64>) {
    self.file = file
    self.range = range
  }

  var byteCount: Int64 { range.upperBound - range.lowerBound }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let wanted = Int(max(0, min(Int64(buffer.count), byteCount - offset)))
    do throws(DecodingError) {
      let count = try file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: range.lowerBound + offset)
      offset += Int64(count)
      return count
    } catch {
      failure = error
      return 0
    }
  }
}

private func source(_ context: UnsafeMutableRawPointer?) -> SoundFileSource? {
  context.map { Unmanaged<SoundFileSource>.fromOpaque($0).takeUnretainedValue() }
}

let soundFileLength: @convention(c) (UnsafeMutableRawPointer?) -> sf_count_t = { source($0)?.byteCount ?? 0 }

let soundFileTell: @convention(c) (UnsafeMutableRawPointer?) -> sf_count_t = { source($0)?.offset ?? 0 }

let soundFileSeek: @convention(c) (sf_count_t, Int32, UnsafeMutableRawPointer?) -> sf_count_t = {
  distance, whence, context in
  guard let source = source(context) else { return -1 }
  let base: Int64 =
    switch whence {
    case SEEK_CUR: source.offset
    case SEEK_END: source.byteCount
    default: 0
    }
  let (target, overflow) = base.addingReportingOverflow(distance)
  guard !overflow, target >= 0 else { return -1 }
  source.offset = target
  return target
}

let soundFileRead: @convention(c) (UnsafeMutableRawPointer?, sf_count_t, UnsafeMutableRawPointer?) -> sf_count_t = {
  buffer, count, context in
  guard let source = source(context), let buffer, count > 0 else { return 0 }
  return sf_count_t(source.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))))
}

let soundFileWrite: @convention(c) (UnsafeRawPointer?, sf_count_t, UnsafeMutableRawPointer?) -> sf_count_t = {
  _, _, _ in 0
}
