internal import AudioAnalysis
internal import AudioDecoding
internal import Base
internal import CWorker
internal import Glibc
internal import MediaModel
internal import TagEditing

/// The worker's side: confines its own process, then reads one file after the other until the parent hangs up.
package enum WorkerService {
  /// Descriptor of the socket to the parent.
  package static let socketDescriptor: Int32 = 3

  /// Serves the process `parent`; returns the exit status of the worker.
  ///
  /// - Parameter makesFingerprints: Whether to load Chromaprint, which takes longer than the rest of the start.
  package static func run(parent: Int32, makesFingerprints: Bool) -> Int32 {
    var channel = WorkerChannel(descriptor: socketDescriptor)
    // Before the confinement: afterwards no shared library can be opened.
    guard DecoderLibraries.load() == nil else { return WorkerProcess.missingLibraryStatus }
    ReducedPicture.loadLibrary()
    let chromaprint = makesFingerprints ? Chromaprint.version : nil
    // Better than silently leaving out fingerprints that this machine could make.
    if makesFingerprints, Chromaprint.loadingProblem != nil { return WorkerProcess.missingLibraryStatus }
    guard let sandbox = SandboxStatus.confined(parent: parent, socket: socketDescriptor) else { return 71 }
    let status = WorkerStatus(sandbox: sandbox, chromaprintVersion: chromaprint)
    do throws(WorkerChannel.Failure) {
      try channel.send(WorkerMessage.ready(version: WorkerProtocol.version, status).bytes)
      var unanswered: WorkerRequest?
      while true {
        let request = if let unanswered { unanswered } else { try request(from: &channel) }
        unanswered = nil
        guard let file = channel.takeDescriptor() else { return 76 }
        defer { close(file) }
        switch request {
        case .inspect(let byteCount, let pathExtension, let limits):
          _ = dw_allow_cpu_seconds(limits.maximumCPUSeconds)
          var inspection = FileInspection(
            descriptor: file, byteCount: byteCount, pathExtension: pathExtension, limits: limits,
            socket: channel.descriptor)
          try inspection.run(over: &channel)
        case .open(let byteCount, let isDamaged, let hashesStream):
          _ = dw_allow_cpu_seconds(InspectionLimits().maximumCPUSeconds)
          let decoding = SampleDecoding(
            descriptor: file, byteCount: byteCount, isDamaged: isDamaged, hashesStream: hashesStream)
          unanswered = try decoding.run(over: &channel)
        case .reduce(let byteCount, let longestSide):
          _ = dw_allow_cpu_seconds(pictureCPUSeconds)
          let answer = reducedPicture(in: file, byteCount: byteCount, longestSide: longestSide)
          try channel.send(WorkerMessage.reduced(answer).bytes)
        case .planEdit(let byteCount, let edit):
          _ = dw_allow_cpu_seconds(InspectionLimits().maximumCPUSeconds)
          let answer = plan(edit, descriptor: file, byteCount: byteCount, socket: channel.descriptor)
          try channel.send(WorkerMessage.planned(answer).bytes)
        case .analyse, .samples, .lookAhead: return 76
        }
      }
    } catch {
      // The parent has ended, or sent a request that is not understood: there is nobody to tell.
      return error == .closed ? 0 : 76
    }
  }

  private static func plan(_ edit: TagEdit, descriptor: Int32, byteCount: Int64, socket: Int32) -> EditAnswer {
    var signs = SignsOfLife(socket: socket)
    do throws(TagEditRefusal) {
      let plan = try TagEditor.plan(edit, descriptor: descriptor, byteCount: byteCount) { try? signs.show(0) }
      // With both plans a message is at most twice as long, and a bit for each part.
      let byteCount = plan.plan.writtenByteCount + plan.undo.writtenByteCount
      let partCount = plan.plan.segments.count + plan.undo.segments.count
      guard byteCount + 32 * Int64(partCount) + 4096 < Int64(WorkerProtocol.maximumMessageByteCount) else {
        return .refused(code: "too-long", reason: "too long: the edit changes \(byteCount) bytes")
      }
      return .plan(plan)
    } catch { return .refused(code: error.code, reason: error.reason, property: error.property) }
  }

  private static let pictureCPUSeconds: UInt64 = 10

  private static func reducedPicture(in file: Int32, byteCount: Int64, longestSide: Int) -> ReducedPictureAnswer {
    guard (0...Int64(WorkerProtocol.maximumCoverByteCount)).contains(byteCount) else {
      return .unreadable(reason: "a picture of \(byteCount) bytes")
    }
    do {
      let bytes = try DescriptorBytes.bytes(from: file, count: Int(byteCount), at: 0)
      let jpeg = try ReducedPicture.jpeg(of: bytes, longestSide: longestSide)
      return jpeg.map { .reduced($0) } ?? .unchanged
    } catch let error as DecodingError {
      switch error {
      case .missingLibrary(let reason), .unsupported(let reason): return .undecoded(reason: reason)
      default: return .unreadable(reason: error.problem.reason)
      }
    } catch {
      return .unreadable(reason: "\(error)")
    }
  }

  static func request(from channel: inout WorkerChannel) throws(WorkerChannel.Failure) -> WorkerRequest {
    let body = try channel.waitForBody()
    do throws(ByteReader.Failure) { return try WorkerRequest(body: body) } catch { throw .malformed(error.description) }
  }
}

/// What a worker does with a file of which ranges are requested: it opens the file once, then decodes each range.
struct SampleDecoding {
  let descriptor: Int32
  let byteCount: Int64
  let isDamaged: Bool
  let hashesStream: Bool

  /// Serves until the other side hangs up or asks for something else; a problem of the file is sent as the last answer.
  ///
  /// - Returns: The request that is about something else, if it has come.
  func run(over channel: inout WorkerChannel) throws(WorkerChannel.Failure) -> WorkerRequest? {
    var signs = SignsOfLife(socket: channel.descriptor)
    var stream: StreamIdentity?
    let source: DecoderSegmentSource
    do throws(DecodingError) {
      var file = try MediaFile(descriptor: descriptor, byteCount: byteCount, pathExtension: "")
      if hashesStream { stream = try file.identify { try? signs.show(0) } }
      let decoder = try file.makeDecoder(seekingMethod: isDamaged ? .byCounting : .byPosition) {
        try? signs.show(0)
      }
      source = DecoderSegmentSource(decoder, hash: ContentHash(high: 0, low: 0))
    } catch {
      try finish(error, over: channel)
      return nil
    }
    let audio = source.audio
    try channel.send(
      WorkerMessage.opened(
        DecodedShape(
          format: audio.format, delayFrameCount: audio.delayFrameCount, paddingFrameCount: audio.paddingFrameCount,
          stream: stream)
      ).bytes)
    var (looksAhead, hasAnswered) = (false, false)
    while true {
      // What is found broken ahead is said when it is requested.
      while looksAhead, hasAnswered, !channel.hasRequest { looksAhead = (try? source.lookAhead()) ?? false }
      switch try WorkerService.request(from: &channel) {
      case .lookAhead: looksAhead = true
      case .samples(let frames):
        _ = dw_allow_cpu_seconds(InspectionLimits().maximumCPUSeconds)
        let samples: [Float]
        do throws(DecodingError) { samples = try decode(frames, from: source, over: channel) } catch {
          try finish(error, over: channel)
          return nil
        }
        try channel.send(WorkerMessage.samples(samples).bytes)
        hasAnswered = true
      case let other: return other
      }
    }
  }

  private func decode(
    _ frames: Range<Int64>, from source: DecoderSegmentSource, over channel: borrowing WorkerChannel
  ) throws(DecodingError) -> [Float] {
    var signs = SignsOfLife(socket: channel.descriptor)
    return try source.decode(frames) { try? signs.show(0) }
  }

  private func finish(
    _ error: DecodingError, over channel: borrowing WorkerChannel
  ) throws(WorkerChannel.Failure) {
    try channel.send(WorkerMessage.finished(Extraction(state: error.state, problem: error.problem)).bytes)
  }
}
