internal import Base
internal import CWorker
internal import Glibc

/// Speech by espeak-ng, as a confined process for each run: text on its standard input, a WAV file on its output.
package struct SpeechSynthesizer: Sendable {
  /// Of what is spoken, in one channel.
  package static let sampleRateInHz = 22_050

  private static let secondsOfWaiting = 15.0
  private static let secondsOfProcessor: UInt64 = 10
  private static let addressSpaceByteCount: UInt64 = 1 << 30
  private static let openDescriptorCount: UInt64 = 32
  /// Three minutes.
  private static let largestOutput = 8 << 20
  private static let pauseInSeconds = 0.12

  private let executable: String

  /// - Throws: ``SpeechError/missing`` if espeak-ng is not installed.
  package init() throws(SpeechError) {
    guard let executable = Self.installed else { throw .missing }
    self.executable = executable
  }

  /// The path of espeak-ng; nil if it is not installed.
  package static var installed: String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/espeak-ng" }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// The samples of all runs, with a short pause between them, without silence at the ends.
  package func samples(of runs: [SpokenRun]) throws(SpeechError) -> [Float] {
    var samples: [Float] = []
    for run in runs {
      let spoken = try Self.withoutSilence(speak(run))
      if !samples.isEmpty, !spoken.isEmpty {
        samples += Array(repeating: 0, count: Int(Self.pauseInSeconds * Double(Self.sampleRateInHz)))
      }
      samples += spoken
    }
    return samples
  }

  private func speak(_ run: SpokenRun) throws(SpeechError) -> [Float] {
    let wave: [UInt8]
    do throws(SystemError) {
      wave = try output(["espeak-ng", "-b", "1", "-v", run.voice, "--stdin", "--stdout"], run.text)
    } catch {
      throw .failed(reason: error.description, voice: run.voice)
    }
    return try samples(inWave: wave, run)
  }

  /// What the program writes; empty if that takes too long or is too much.
  private func output(_ arguments: [String], _ text: String) throws(SystemError) -> [UInt8] {
    let input = Array(text.utf8) + [UInt8(ascii: "\n")]
    var list = arguments.map { strdup($0) } + [nil]
    // No variable leads it to other files.
    var environment = [strdup("LC_ALL=C.UTF-8"), nil]
    let data = Self.dataFolders(of: executable).map { strdup($0) }
    defer { for text in list + environment + data { free(text) } }
    let places = data.map { UnsafePointer($0) } + [nil]
    var limits = dw_limits(
      address_space_bytes: Self.addressSpaceByteCount, open_descriptors: Self.openDescriptorCount)
    var descriptor: Int32 = -1
    let child = dw_start_confined(
      executable, &list, &environment, places, input, input.count, &limits, Self.secondsOfProcessor, &descriptor)
    guard child > 0 else { throw SystemError(call: "fork") }
    defer {
      close(descriptor)
      kill(child, SIGKILL)
      while waitpid(child, nil, 0) < 0, errno == EINTR {}
    }
    return Self.read(descriptor)
  }

  /// Where it may have its voices, besides the folders of libraries.
  private static func dataFolders(of executable: String) -> [String] {
    let prefix = BytePath(executable).folder.folder.displayString
    return ["/usr/share/espeak-ng-data", "\(prefix)/share/espeak-ng-data", "\(prefix)/lib"]
  }

  private static func read(_ descriptor: Int32) -> [UInt8] {
    let end = monotonicSeconds() + secondsOfWaiting
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < largestOutput {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&entry, 1, Int32((max(0, end - monotonicSeconds()) * 1000).rounded(.up)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return [] }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
    return []
  }

  /// The samples of 16 bits in one channel that follow a header of a fixed size, whose lengths are those of a stream.
  private func samples(inWave bytes: [UInt8], _ run: SpokenRun) throws(SpeechError) -> [Float] {
    let headerByteCount = 44
    var reader = ByteReader(Array(bytes.prefix(headerByteCount)))
    let isExpected =
      (try? reader.readBytes(22).prefix(4).elementsEqual("RIFF".utf8)) == true
      && (try? reader.read(UInt16.self)) == 1 && (try? reader.read(UInt32.self)) == UInt32(Self.sampleRateInHz)
      && (try? reader.readBytes(6)) != nil && (try? reader.read(UInt16.self)) == 16
    guard isExpected else {
      throw .failed(reason: bytes.isEmpty ? "it produced nothing" : "its output was not speech", voice: run.voice)
    }
    return stride(from: headerByteCount, to: bytes.count - 1, by: 2).map { index in
      Float(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)) / 32_768
    }
  }

  private static func withoutSilence(_ samples: [Float]) -> ArraySlice<Float> {
    let isHeard: (Float) -> Bool = { abs($0) > 0.001 }
    guard let first = samples.firstIndex(where: isHeard), let last = samples.lastIndex(where: isHeard) else {
      return []
    }
    return samples[first...last]
  }
}

/// Why nothing can be said.
package enum SpeechError: Error, Hashable, Sendable, CustomStringConvertible {
  case missing
  case failed(reason: String, voice: String)

  package var description: String {
    switch self {
    case .missing: "espeak-ng, which speaks titles, is not installed (package espeak-ng)"
    case .failed(let reason, let voice): "espeak-ng failed with the voice \(voice): \(reason)"
    }
  }
}
