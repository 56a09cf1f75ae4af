internal import MediaImport
internal import MediaModel

/// The body of a request, as a worker reads it.
struct WorkerRequestTarget: FuzzTarget {
  let name = "worker-request"

  var seeds: [[UInt8]] {
    let requests: [WorkerRequest] = [
      .inspect(byteCount: 17, pathExtension: "flac", limits: InspectionLimits()),
      .analyse(kinds: [.waveform, .spectrum]),
      .analyse(kinds: Set(ProductKind.allCases)), .open(byteCount: 1 << 40, isDamaged: true, hashesSound: true),
      .samples(65_536..<131_072),
    ]
    return requests.map { Array($0.bytes.dropFirst(4)) }
  }

  var dictionary: [String] { ProductKind.allCases.map(\.rawValue) }

  func check(_ bytes: [UInt8]) throws {
    guard let request = try? WorkerRequest(body: bytes) else { return }
    let written = request.bytes
    try require(
      try WorkerRequest(body: Array(written.dropFirst(4))).bytes == written, "a request is not read as it is written")
  }
}
