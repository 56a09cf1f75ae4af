package import Base
internal import Glibc
package import MediaModel

/// Segments of a file that a worker decodes, because its bytes are not trusted; the worker lives as long as this
/// object.
///
/// One thread at a time. After an error all further requests fail.
package final class WorkerSegmentSource: SegmentSource {
  private static let timeout = StallTimeout(limitInSeconds: 20)

  package let audio: SegmentedAudio
  /// The file that was opened.
  package let fileStatus: FileStatus
  private let path: BytePath
  private let process: WorkerProcess

  /// Opens the file in a worker.
  ///
  /// - Parameters:
  ///   - recording: Its hash, by which the cache knows its segments.
  ///   - stream: The hash of the stream that the file had when it was scanned, of either version; nil if it is not
  ///     known.
  ///   - declaration: What the file said about its stream then.
  ///   - known: The file as it was scanned. If it is another one, or was written to since then, its stream is hashed
  ///     and must be the same.
  ///     nil if there is nothing to compare with.
  ///   - isDamaged: Whether a scan found the file to be damaged: its frames are then counted from the start.
  ///   - waiting: The worker; nil starts one, which takes most of the time of this call.
  package init(
    _ path: BytePath, recording: ContentHash, stream: ContentHash?, declaration: StreamDeclaration? = nil,
    known: FileStatus? = nil, isDamaged: Bool, in waiting: PrewarmedWorker? = nil,
    executable: String = WorkerProgram.path
  ) throws(SegmentReadingError) {
    self.path = path
    let process: WorkerProcess
    let isAsKnown: Bool
    let fileStatus: FileStatus
    do {
      let folder = try FolderDescriptor(opening: path.folder)
      let file = try folder.openRegularFile(path.lastComponent, followsLinks: true)
      defer { close(file.descriptor) }
      fileStatus = file.status
      isAsKnown = stream == nil || known.map { $0.isSameVersion(as: file.status) } ?? true
      process = try waiting?.process ?? PrewarmedWorker(executable: executable).process
      try process.send(
        .open(byteCount: file.status.byteCount, isDamaged: isDamaged, hashesStream: !isAsKnown),
        descriptor: file.descriptor)
    } catch let error as SystemError {
      throw .file(path, reason: error.description)
    } catch let error as SegmentReadingError {
      throw error
    } catch {
      throw .worker(reason: "\(error)")
    }
    self.process = process
    self.fileStatus = fileStatus
    guard case .opened(let shape) = try Self.answer(from: process, about: path) else {
      throw .worker(reason: "it did not report what it opened")
    }
    // A file that was scanned by an older version is known by its former hash.
    let found = shape.stream.map { [$0.hash] + $0.formerHashes.map(\.hash) } ?? []
    guard isAsKnown || stream.map({ found.contains($0) }) == true else { throw .changed(path) }
    audio = SegmentedAudio(
      hash: recording, format: shape.format, delayFrameCount: shape.delayFrameCount,
      paddingFrameCount: shape.paddingFrameCount, declaration: declaration)
  }

  package func decode(_ frames: Range<Int64>) throws -> [Float] {
    do throws(WorkerChannel.Failure) { try process.send(.samples(frames)) } catch {
      throw Self.failure(error, of: process, about: path)
    }
    guard case .samples(let samples) = try Self.answer(from: process, about: path) else {
      throw SegmentReadingError.worker(reason: "it does not send samples")
    }
    guard samples.count.isMultiple(of: audio.format.channelCount),
      samples.count / audio.format.channelCount <= frames.count
    else { throw SegmentReadingError.worker(reason: "it sends \(samples.count) samples for \(frames.count) frames") }
    return samples
  }

  package func lookAhead() {
    // If the worker is gone, the next request says so.
    try? process.send(.lookAhead)
  }

  /// Waits for a message that is more than a sign of life.
  private static func answer(
    from process: WorkerProcess, about path: BytePath
  ) throws(SegmentReadingError) -> WorkerMessage {
    var stall = StallCounter()
    while true {
      let messages: [WorkerMessage]?
      do throws(WorkerChannel.Failure) {
        messages = try process.waitForMessages(until: monotonicSeconds() + timeout.tickInSeconds)
      } catch {
        throw failure(error, of: process, about: path)
      }
      guard let messages else {
        if let reason = stall.tick(process.status, timeout: timeout) { throw .file(path, reason: reason) }
        continue
      }
      stall.noteSign()
      for message in messages {
        switch message {
        case .opened, .samples: return message
        case .finished(let extraction):
          throw .file(path, reason: extraction.problem?.reason ?? extraction.state.rawValue)
        default: break
        }
      }
    }
  }

  private static func failure(
    _ failure: WorkerChannel.Failure, of process: WorkerProcess, about path: BytePath
  ) -> SegmentReadingError {
    switch failure {
    case .closed:
      switch process.end() {
      case .signal(let number): .file(path, reason: "its decoder crashed (signal \(number))")
      case .exit(let status): .worker(reason: process.missingLibrary ?? "it exited with status \(status)")
      case .stuck: .file(path, reason: "its decoder hangs")
      }
    case .malformed(let reason): .worker(reason: reason)
    case .system(let error): .worker(reason: error.description)
    }
  }
}

extension PrewarmedWorker {
  /// Starts one; an error says nothing about a file.
  package convenience init(executable: String = WorkerProgram.path) throws(SegmentReadingError) {
    do { self.init(try WorkerProcess(executable: executable, makesFingerprints: false)) } catch {
      throw .worker(reason: "cannot start: \(error.description)")
    }
  }
}

/// Why no segment of a recording could be read.
package enum SegmentReadingError: Error, Hashable, CustomStringConvertible {
  case file(BytePath, reason: String)
  /// The file was written to since it was scanned, and holds another recording now.
  case changed(BytePath)
  case worker(reason: String)

  package var description: String {
    switch self {
    case .file(let path, let reason): "\(path.displayString): \(reason)"
    case .changed(let path): "\(path.displayString): has changed since it was scanned"
    case .worker(let reason): "the worker failed: \(reason)"
    }
  }
}
