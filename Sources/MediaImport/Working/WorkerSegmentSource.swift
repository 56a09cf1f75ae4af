package import AudioDecoding
internal import Glibc
package import MediaModel

/// Segments of a file that a worker decodes, as everything that touches untrusted bytes; the worker lives as long as this.
///
/// One thread at a time. After an error all further requests fail.
package final class WorkerSegmentSource: SegmentSource {
  private static let stallLimitInMilliseconds: Int32 = 20_000

  /// What a scan saw of a file.
  package struct KnownFile: Hashable, Sendable {
    package var byteCount: Int64
    package var modificationTimeInNanoseconds: Int64

    package init(byteCount: Int64, modificationTimeInNanoseconds: Int64) {
      self.byteCount = byteCount
      self.modificationTimeInNanoseconds = modificationTimeInNanoseconds
    }
  }

  package static let changed = "has changed since it was scanned; `deadwax scan` reads it again"

  package let audio: SegmentedAudio
  private let path: BytePath
  private let process: WorkerProcess

  /// Opens the file in a new worker.
  ///
  /// - Parameters:
  ///   - hash: of the sound.
  ///   - known: The file with that sound; where it was written to since, its sound is hashed and must be the same. nil
  ///     where there is nothing to compare with.
  ///   - isDamaged: whether a scan found the file to be damaged: its frames are then counted from the start.
  package init(
    _ path: BytePath, hash: ContentHash, known: KnownFile? = nil, isDamaged: Bool,
    executable: String = "/proc/self/exe"
  ) throws(SoundReadingError) {
    self.path = path
    let process: WorkerProcess
    let isAsKnown: Bool
    do {
      let folder = try FolderDescriptor(opening: path.folder)
      let file = try folder.openRegularFile(path.lastComponent, followsLinks: true)
      defer { close(file.descriptor) }
      isAsKnown = known.map { $0 == KnownFile(file.status) } ?? true
      process = try WorkerProcess(executable: executable, makesFingerprints: false)
      try process.send(
        .open(byteCount: file.status.byteCount, isDamaged: isDamaged, hashesSound: !isAsKnown),
        descriptor: file.descriptor)
    } catch let error as SystemError {
      throw .file(path, reason: error.description)
    } catch {
      throw .worker("\(error)")
    }
    self.process = process
    guard case .opened(let shape) = try Self.answer(from: process, about: path) else {
      throw .worker("it does not say what it opened")
    }
    guard isAsKnown || shape.hash == hash else { throw .file(path, reason: Self.changed) }
    audio = SegmentedAudio(
      hash: hash, format: shape.format, delayFrameCount: shape.delayFrameCount,
      paddingFrameCount: shape.paddingFrameCount)
  }

  package func decode(_ frames: Range<Int64>) throws -> [Float] {
    do throws(WorkerChannel.Failure) { try process.send(.samples(frames)) } catch {
      throw Self.failure(error, of: process, about: path)
    }
    guard case .samples(let samples) = try Self.answer(from: process, about: path) else {
      throw SoundReadingError.worker("it does not send what was asked for")
    }
    guard samples.count.isMultiple(of: audio.format.channelCount),
      samples.count / audio.format.channelCount <= frames.count
    else { throw SoundReadingError.worker("it sends \(samples.count) samples for \(frames.count) frames") }
    return samples
  }

  /// Waits for what is no sign of life.
  private static func answer(
    from process: WorkerProcess, about path: BytePath
  ) throws(SoundReadingError) -> WorkerMessage {
    while true {
      var entry = pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&entry, 1, stallLimitInMilliseconds)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .file(path, reason: "no progress for 20 s") }
      let messages: [WorkerMessage]
      do throws(WorkerChannel.Failure) { messages = try process.receiveMessages() } catch {
        throw failure(error, of: process, about: path)
      }
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
  ) -> SoundReadingError {
    switch failure {
    case .closed:
      switch process.end() {
      case .signal(let number): .file(path, reason: "its decoder crashed (signal \(number))")
      case .exit(let status): .worker("it left with status \(status)")
      case .stuck: .file(path, reason: "its decoder hangs")
      }
    case .malformed(let reason): .worker(reason)
    case .system(let error): .worker(error.description)
    }
  }
}

extension WorkerSegmentSource.KnownFile {
  fileprivate init(_ status: FileStatus) {
    self.init(
      byteCount: status.byteCount, modificationTimeInNanoseconds: status.modificationTimeInNanoseconds)
  }
}
