package import Base
internal import MediaModel

extension WorkerRequest {
  /// The whole message with its length.
  package var bytes: [UInt8] {
    var body = ByteWriter.message()
    switch self {
    case .inspect(let byteCount, let pathExtension, let limits):
      body.append(UInt8(1))
      body.append(byteCount)
      body.append(lengthPrefixed: pathExtension.utf8)
      body.append(limits.maximumDurationInSeconds)
      body.append(limits.maximumCPUSeconds)
      body.append(limits.signIntervalInSeconds)
    case .analyse(let kinds, let verifies):
      body.append(UInt8(2))
      body.append(UInt8(verifies ? 1 : 0))
      body.append(UInt8(kinds.count))
      for kind in kinds.sorted() { body.append(lengthPrefixed: kind.rawValue.utf8) }
    case .open(let byteCount, let isDamaged, let hashesStream):
      body.append(UInt8(3))
      body.append(byteCount)
      body.append(UInt8(isDamaged ? 1 : 0))
      body.append(UInt8(hashesStream ? 1 : 0))
    case .samples(let frames):
      body.append(UInt8(4))
      body.append(frames.lowerBound)
      body.append(frames.upperBound)
    case .reduce(let byteCount, let longestSide):
      body.append(UInt8(5))
      body.append(byteCount)
      body.append(UInt32(longestSide))
    case .lookAhead:
      body.append(UInt8(6))
    case .planEdit(let byteCount, let edit):
      body.append(UInt8(7))
      body.append(byteCount)
      body.append(edit)
    }
    return body.framedBytes()
  }

  package init(body: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(body)
    switch try reader.read(UInt8.self) {
    case 1:
      self = .inspect(
        byteCount: try reader.read(), pathExtension: try reader.readText(limit: 4096),
        limits: InspectionLimits(
          maximumDurationInSeconds: try reader.readDouble(), maximumCPUSeconds: try reader.read(),
          signIntervalInSeconds: try reader.readDouble()))
    case 2:
      let verifies = try reader.readFlag()
      var kinds: Set<ProductKind> = []
      for _ in 0..<(try reader.read(UInt8.self)) { kinds.insert(try reader.readProductKind()) }
      self = .analyse(kinds: kinds, verifies: verifies)
    case 3:
      self = .open(
        byteCount: try reader.read(), isDamaged: try reader.readFlag(), hashesStream: try reader.readFlag())
    case 4: self = .samples(try reader.readFrames())
    case 5: self = .reduce(byteCount: try reader.read(), longestSide: Int(try reader.read(UInt32.self)))
    case 6: self = .lookAhead
    case 7: self = .planEdit(byteCount: try reader.read(), try reader.readEdit())
    case let kind: throw reader.failure("no request has kind \(kind)")
    }
  }
}

extension WorkerMessage {
  /// The whole message with its length.
  package var bytes: [UInt8] {
    var body = ByteWriter.message()
    switch self {
    case .ready(let version, let status):
      body.append(UInt8(1))
      body.append(version)
      body.append(UInt32(status.sandbox.landlockVersion))
      body.append(UInt8(status.sandbox.opensAreRefused ? 1 : 0))
      body.append(UInt8(status.sandbox.callsAreFiltered ? 1 : 0))
      body.append(UInt8(status.chromaprintVersion == nil ? 0 : 1))
      if let version = status.chromaprintVersion { body.append(text: version) }
    case .identified(let identity):
      body.append(UInt8(2))
      body.append(identity)
    case .progress(let decodedSeconds):
      body.append(UInt8(3))
      body.append(decodedSeconds)
    case .artwork(let artwork):
      body.append(UInt8(4))
      body.append(artwork)
    case .product(let product):
      body.append(UInt8(5))
      body.append(product)
    case .opened(let shape):
      body.append(UInt8(7))
      body.append(shape)
    case .samples(let samples):
      body.append(UInt8(8))
      body.append(samples: samples)
    case .reduced(let answer):
      body.append(UInt8(9))
      body.append(answer)
    case .planned(let answer):
      body.append(UInt8(10))
      body.append(answer)
    case .finished(let extraction):
      body.append(UInt8(6))
      body.append(extraction)
    }
    return body.framedBytes()
  }

  package init(body: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(body)
    switch try reader.read(UInt8.self) {
    case 1:
      let version = try reader.read(UInt32.self)
      let sandbox = SandboxStatus(
        landlockVersion: Int(try reader.read(UInt32.self)), opensAreRefused: try reader.read(UInt8.self) == 1,
        callsAreFiltered: try reader.read(UInt8.self) == 1)
      let chromaprint: String? = try reader.readFlag() ? try reader.readText(limit: 256) : nil
      self = .ready(version: version, WorkerStatus(sandbox: sandbox, chromaprintVersion: chromaprint))
    case 2: self = .identified(try reader.readStreamIdentity())
    case 3: self = .progress(decodedSeconds: try reader.readDouble())
    case 4: self = .artwork(try reader.readArtwork())
    case 5: self = .product(try reader.readProduct())
    case 6: self = .finished(try reader.readExtraction())
    case 7: self = .opened(try reader.readDecodedShape())
    case 8: self = .samples(try reader.readSamples())
    case 9: self = .reduced(try reader.readReducedPicture())
    case 10: self = .planned(try reader.readEditAnswer())
    case let kind: throw reader.failure("no message has kind \(kind)")
    }
    guard reader.remainingCount == 0 else { throw reader.failure("\(reader.remainingCount) bytes too many") }
  }
}

extension ByteWriter {
  /// A message whose length is filled in at the end: the body may be large and is not copied.
  fileprivate static func message() -> ByteWriter {
    var writer = ByteWriter()
    writer.append(UInt32(0))
    return writer
  }

  fileprivate consuming func framedBytes() -> [UInt8] {
    replace(at: 0, with: UInt32(bytes.count - 4))
    return bytes
  }
}
