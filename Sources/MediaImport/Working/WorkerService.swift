internal import AudioAnalysis
internal import CWorker
internal import Glibc
internal import MediaModel

/// The worker's side: confines its own process, then looks at one file after the other until the scan hangs up.
package enum WorkerService {
  /// Descriptor of the socket to the scan.
  package static let socketDescriptor: Int32 = 3
  private static let addressSpaceByteCount: UInt64 = 2 << 30
  private static let openDescriptorCount: UInt64 = 16

  /// Serves the scan that is process `parent`; returns the exit status of the worker.
  ///
  /// - Parameter makesFingerprints: Whether to load Chromaprint, which takes longer than all else at the start.
  package static func run(parent: Int32, makesFingerprints: Bool) -> Int32 {
    var channel = WorkerChannel(descriptor: socketDescriptor)
    // Afterwards no library can be opened any more.
    let chromaprint = makesFingerprints ? Chromaprint.version : nil
    // Rather than to leave out without a word what this machine can make.
    guard !makesFingerprints || !Chromaprint.failedToLoad else { return 71 }
    let sandbox = confine(parent: parent)
    guard let sandbox else { return 71 }
    let status = WorkerStatus(sandbox: sandbox, chromaprintVersion: chromaprint)
    do throws(WorkerChannel.Failure) {
      try channel.send(WorkerMessage.ready(version: WorkerProtocol.version, status).bytes)
      while true {
        let request = try request(from: &channel)
        guard let file = channel.takeDescriptor() else { return 76 }
        defer { close(file) }
        switch request {
        case .inspect(let byteCount, let pathExtension, let limits):
          _ = dw_allow_cpu_seconds(limits.maximumCPUSeconds)
          var inspection = FileInspection(
            descriptor: file, byteCount: byteCount, pathExtension: pathExtension, limits: limits)
          try inspection.run(over: &channel)
        case .open(let byteCount, let isDamaged, let hashesSound):
          _ = dw_allow_cpu_seconds(InspectionLimits().maximumCPUSeconds)
          let decoding = SampleDecoding(
            descriptor: file, byteCount: byteCount, isDamaged: isDamaged, hashesSound: hashesSound)
          try decoding.run(over: &channel)
        case .analyse, .samples: return 76
        }
      }
    } catch {
      // The scan has ended, or asks for what no worker understands: nobody is left to tell.
      return error == .closed ? 0 : 76
    }
  }

  static func request(from channel: inout WorkerChannel) throws(WorkerChannel.Failure) -> WorkerRequest {
    let body = try channel.waitForBody()
    do throws(ByteReader.Failure) { return try WorkerRequest(body: body) } catch { throw .malformed(error.description) }
  }

  /// Gives up all rights that are not needed any more; nil when even the ordinary limits cannot be set.
  private static func confine(parent: Int32) -> SandboxStatus? {
    var limits = dw_limits(address_space_bytes: addressSpaceByteCount, open_descriptors: openDescriptorCount)
    guard dw_confine(parent, &limits) == 0 else { return nil }
    let version = Int(dw_landlock_version())
    if version > 0 { _ = dw_landlock_forbid_all() }
    // The proof is in the trying.
    let descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 { close(descriptor) }
    return SandboxStatus(landlockVersion: version, opensAreRefused: descriptor < 0)
  }
}
