internal import AudioAnalysis
internal import AudioDecoding
internal import Base
package import MediaModel

/// What a worker does with one file: it identifies the stream, waits for the products that are wanted, and makes
/// them.
///
/// Every problem of the file becomes part of the answer; only a lost connection throws.
struct FileInspection: ~Copyable {
  /// Frames decoded at once: enough to make the cost of calls negligible, few enough for the first-level cache.
  private static let framesPerBlock = 2048

  private let descriptor: Int32
  private let byteCount: Int64
  private let pathExtension: String
  private let limits: InspectionLimits
  private var signs: SignsOfLife

  /// - Parameter socket: Of the channel that ``run(over:)`` is given.
  init(descriptor: Int32, byteCount: Int64, pathExtension: String, limits: InspectionLimits, socket: Int32) {
    self.descriptor = descriptor
    self.byteCount = byteCount
    self.pathExtension = pathExtension
    self.limits = limits
    signs = SignsOfLife(socket: socket, intervalInSeconds: limits.signIntervalInSeconds)
  }

  mutating func run(over channel: inout WorkerChannel) throws(WorkerChannel.Failure) {
    let extraction = try inspect(over: &channel)
    try channel.send(WorkerMessage.finished(extraction).bytes)
  }

  private mutating func inspect(over channel: inout WorkerChannel) throws(WorkerChannel.Failure) -> Extraction {
    var file: MediaFile
    do throws(DecodingError) {
      file = try MediaFile(descriptor: descriptor, byteCount: byteCount, pathExtension: pathExtension)
    } catch {
      return Extraction(state: error.state, problem: error.problem)
    }
    guard file.content.kind == .audio else { return withoutAudio(file.content) }
    let identity: StreamIdentity
    do throws(DecodingError) {
      identity = try file.identify { try? signs.show(0) }
    } catch {
      return Extraction(state: error.state, problem: error.problem, notes: file.notes)
    }
    var kinds: Set<ProductKind>?
    var verifies = false
    // An empty stream identifies nothing: all such files would be the same recording.
    if identity.byteCount > 0 {
      try channel.send(WorkerMessage.identified(identity).bytes)
      guard case .analyse(let wanted, let isVerification) = try WorkerService.request(from: &channel) else {
        throw .malformed("an answer was expected")
      }
      kinds = wanted
      verifies = isVerification
    }

    let reading: TagReading
    do throws(DecodingError) { reading = try file.readTags() } catch {
      return Extraction(state: error.state, problem: error.problem, notes: file.notes)
    }
    for artwork in reading.artwork { try channel.send(WorkerMessage.artwork(artwork).bytes) }
    var extraction = Extraction(
      state: .ok, notes: file.notes + reading.notes, format: reading.format, tags: reading.tags)
    // A file with a checksum of its samples is decoded for it.
    if kinds?.isEmpty == true, !(verifies && file.content.codec?.isLossless == true) {
      examine(&file, into: &extraction)
    } else {
      try decode(&file, kinds: kinds ?? [], verifies: verifies, into: &extraction, over: &channel)
    }
    if let rate = extraction.format?.sampleRateInHz {
      do throws(DecodingError) {
        extraction.parts = try file.readParts(reading.tags, sampleRateInHz: rate)
      } catch {
        extraction.notes.append("unreadable-parts")
      }
    }
    return extraction
  }

  /// Judges a file whose stream is known by its own headers and positions: a good copy beside it must not hide what is
  /// wrong here. What decoding the stream showed is added by the parent, see ``Extraction/judge(by:frameCount:)``.
  private mutating func examine(_ file: inout MediaFile, into extraction: inout Extraction) {
    do throws(DecodingError) {
      let decoder = try file.makeDecoder { try? signs.show(0) }
      extraction.note(decoder)
      // It was not decoded.
      extraction.format?.decodedFrameCount = nil
    } catch {
      extraction.state = error.state
      extraction.problem = error.problem
    }
  }

  private mutating func decode(
    _ file: inout MediaFile, kinds: Set<ProductKind>, verifies: Bool, into extraction: inout Extraction,
    over channel: inout WorkerChannel
  ) throws(WorkerChannel.Failure) {
    let decoder: any AudioDecoder
    do throws(DecodingError) {
      decoder = try file.makeDecoder(verifiesChecksum: verifies, hashesSamples: true) { try? signs.show(0) }
    } catch {
      extraction.state = error.state
      extraction.problem = error.problem
      return
    }
    let format = decoder.format
    var analyzer = TrackAnalyzer(
      format: format, kinds: kinds, expectedFrameCount: decoder.mediaFormat.declaredFrameCount ?? 0)
    var block = [Float](repeating: 0, count: Self.framesPerBlock * format.channelCount)
    let maximumFrameCount = Int64(limits.maximumDurationInSeconds * Double(format.sampleRateInHz))
    var frameCount: Int64 = 0
    var failure: DecodingError?
    while frameCount <= maximumFrameCount {
      var count = 0
      do throws(DecodingError) {
        var span = block.mutableSpan
        count = try decoder.read(into: &span)
      } catch { failure = error }
      guard count > 0 else { break }
      frameCount += Int64(count)
      analyzer.consume(block.span.extracting(0..<count * format.channelCount))
      try signs.show(Double(frameCount) / Double(format.sampleRateInHz))
    }

    if let failure, failure.state == .unreadable {
      // Half a recording says nothing about all of it, not even its length.
      extraction.state = failure.state
      extraction.problem = failure.problem
      return
    }
    extraction.note(decoder)
    if analyzer.isCodedSound { extraction.notes.append(Extraction.codedSoundNote) }
    if let failure {
      extraction.state = failure.state
      extraction.problem = failure.problem
    }
    if frameCount > maximumFrameCount {
      let hours = limits.maximumDurationInSeconds / 3600
      extraction.state = .oversize
      let text = Int(exactly: hours).map { "\($0)" } ?? "\(hours)"
      extraction.problem = Problem(code: "too-long", reason: "longer than \(text) hours of audio")
      return
    }
    if failure == nil {
      extraction.isChecked = decoder.hasMatchingChecksum
      extraction.decoded = decoder.decodedStream
      extraction.judge(by: decoder.decodedStream, frameCount: frameCount)
    }
    extraction.measures = try analyzer.finish { product throws(WorkerChannel.Failure) in
      try channel.send(WorkerMessage.product(product).bytes)
    }
    let nonFiniteSampleCount = decoder.outcome.nonFiniteSampleCount
    if nonFiniteSampleCount > 0 { extraction.measures?.nonFiniteSampleCount = nonFiniteSampleCount }
  }

  /// The answer about a file that is not audio.
  private func withoutAudio(_ content: SniffedContent) -> Extraction {
    let isEmpty = content.kind == .empty
    // Not a problem if the name does not claim to be audio.
    guard FileNameHint(pathExtension: pathExtension) == .audio else {
      return Extraction(state: isEmpty ? .empty : .unsupported)
    }
    if isEmpty { return Extraction(state: .empty, problem: Problem(code: "empty", reason: "0 bytes")) }
    return Extraction(state: .unsupported, problem: Problem(code: "not-audio", reason: "not audio (\(content.name))"))
  }
}

extension Extraction {
  /// Takes over what a decoder says about the file itself.
  fileprivate mutating func note(_ decoder: any AudioDecoder) {
    format = decoder.mediaFormat
    notes += decoder.outcome.notes
    problem = decoder.ownProblem
    state = problem == nil ? .ok : .damaged
  }
}

/// Tells the parent at intervals that a worker is still at work.
struct SignsOfLife {
  private let socket: Int32
  private let intervalInSeconds: Double
  private var lastSign = monotonicSeconds()

  init(socket: Int32, intervalInSeconds: Double = InspectionLimits().signIntervalInSeconds) {
    self.socket = socket
    self.intervalInSeconds = intervalInSeconds
  }

  /// Sends a sign of life if the last one is some time ago.
  mutating func show(_ decodedSeconds: Double) throws(WorkerChannel.Failure) {
    let now = monotonicSeconds()
    guard now - lastSign >= intervalInSeconds else { return }
    lastSign = now
    try WorkerChannel.send(WorkerMessage.progress(decodedSeconds: decodedSeconds).bytes, to: socket)
  }
}

/// The version of the code that reads files, as it is stored with each of them.
package enum ExtractorVersion {
  package static let current = FormatRegistry.version

  /// The version to store with a file: a negative one if it must be tried again when another library is installed.
  package static func stored(with problem: Problem?) -> Int {
    problem?.code == Problem.missingLibraryCode ? withLibraries : current
  }

  /// The version of a file for which a library is missing, with the libraries that are there now; negative. Loads them.
  package static var withLibraries: Int { -(current << 16 | DecoderLibraries.optionalSet) }

  /// Whether a stored version is that of a file for which a library was missing.
  package static func lacksLibrary(_ stored: Int) -> Bool { stored < 0 }
}
