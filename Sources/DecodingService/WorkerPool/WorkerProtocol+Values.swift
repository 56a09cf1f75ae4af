internal import Base
internal import MediaModel

/// The parts of messages. Optional values are a `u8` 0 or 1 and then the value.
extension ByteWriter {
  mutating func append(text: String) { append(lengthPrefixed: text.utf8) }

  private mutating func append(optional value: (some FixedWidthInteger)?) {
    append(UInt8(value == nil ? 0 : 1))
    if let value { append(value) }
  }

  private mutating func append(optional value: Double?) { append(optional: value?.bitPattern) }

  mutating func append(_ artwork: Artwork) {
    append(Int32(artwork.pictureType))
    append(text: artwork.mimeType)
    append(text: artwork.caption)
    append(raw: artwork.hash.bytes)
    append(lengthPrefixed: artwork.bytes)
  }

  mutating func append(_ answer: ReducedPictureAnswer) {
    switch answer {
    case .unchanged: append(UInt8(0))
    case .reduced(let bytes):
      append(UInt8(1))
      append(lengthPrefixed: bytes)
    case .unreadable(let reason):
      append(UInt8(2))
      append(text: reason)
    case .undecoded(let reason):
      append(UInt8(3))
      append(text: reason)
    }
  }

  mutating func append(_ product: Product) {
    append(text: product.kind.rawValue)
    append(Int32(product.version))
    append(text: product.parameters)
    append(lengthPrefixed: product.bytes)
  }

  mutating func append(_ shape: DecodedShape) {
    append(UInt32(shape.format.sampleRateInHz))
    append(UInt8(shape.format.channelCount))
    append(UInt8(shape.format.sampleEncoding == .integer ? 1 : 0))
    append(shape.format.channelOrder.rawValue)
    append(shape.format.channelMask ?? 0)
    append(optional: shape.delayFrameCount.map(Int64.init))
    append(optional: shape.paddingFrameCount.map(Int64.init))
    append(UInt8(shape.stream == nil ? 0 : 1))
    if let stream = shape.stream { append(stream) }
  }

  mutating func append(_ identity: StreamIdentity) {
    append(raw: identity.hash.bytes)
    append(UInt8(identity.hashVersion))
    append(optional: identity.replacedHash)
    append(optional: identity.formerHash)
    append(identity.byteCount)
    append(text: identity.declaration.description)
  }

  private mutating func append(optional hash: ContentHash?) {
    append(UInt8(hash == nil ? 0 : 1))
    if let hash { append(raw: hash.bytes) }
  }

  private mutating func append(optional problem: Problem?) {
    append(UInt8(problem == nil ? 0 : 1))
    guard let problem else { return }
    append(text: problem.code)
    append(text: problem.reason)
    append(optional: problem.positionInSeconds)
  }

  /// All but products, artwork and hash, which travel in messages of their own.
  mutating func append(_ extraction: Extraction) {
    append(text: extraction.state.rawValue)
    append(optional: extraction.problem)
    append(UInt8(extraction.decoded == nil ? 0 : 1))
    if let decoded = extraction.decoded {
      append(optional: decoded.problem)
      append(optional: decoded.sampleHash)
    }
    append(UInt8(extraction.isChecked ? 1 : 0))
    append(UInt32(extraction.notes.count))
    for note in extraction.notes { append(text: note) }
    append(UInt8(extraction.format == nil ? 0 : 1))
    if let format = extraction.format { append(format) }
    append(UInt32(extraction.tags.properties.count))
    for property in extraction.tags.properties {
      append(text: property.name)
      append(UInt32(property.values.count))
      for value in property.values { append(text: value) }
    }
    append(UInt8(extraction.parts == nil ? 0 : 1))
    if let parts = extraction.parts { append(parts) }
    append(UInt8(extraction.measures == nil ? 0 : 1))
    if let measures = extraction.measures { append(measures) }
  }

  private mutating func append(_ format: MediaFormat) {
    append(text: format.container.rawValue)
    append(text: format.codec?.rawValue ?? "")
    append(optional: format.sampleRateInHz.map(Int64.init))
    append(optional: format.channelCount.map(Int64.init))
    append(optional: format.bitsPerSample.map(Int64.init))
    append(optional: format.bitRateInBitsPerSecond.map(Int64.init))
    append(optional: format.declaredFrameCount)
    append(optional: format.decodedFrameCount)
    append(optional: format.delayFrameCount.map(Int64.init))
    append(optional: format.paddingFrameCount.map(Int64.init))
  }

  private mutating func append(_ list: PartList) {
    append(text: list.source.rawValue)
    append(UInt32(list.notes.count))
    for note in list.notes { append(text: note) }
    append(UInt32(list.parts.count))
    for part in list.parts {
      append(part.frames.lowerBound)
      append(part.frames.upperBound)
      for column in PartTags.columns { append(text: part.tags[keyPath: column.path] ?? "") }
    }
  }

  private mutating func append(_ measures: Measures) {
    for column in Measures.columns {
      switch column.slot {
      case .real(let path): append(optional: measures[keyPath: path])
      case .count(let path): append(optional: measures[keyPath: path].map(Int64.init))
      }
    }
  }
}

extension ByteReader {
  /// Longest text of any kind; tags are cut well below it.
  private static let maximumTextByteCount = 1 << 20
  /// More bytes or frames than any file can hold, and little enough for a library to add up.
  private static let maximumCount: Int64 = 1 << 48

  /// Text that is not UTF-8 is refused: our workers send none, and repaired text could be longer than the limit.
  mutating func readText(limit: Int = maximumTextByteCount) throws(Failure) -> String {
    guard let text = String(validating: try readLengthPrefixed(limit: limit), as: UTF8.self) else {
      throw failure("text that is not UTF-8")
    }
    return text
  }

  mutating func readHash() throws(Failure) -> ContentHash {
    guard let hash = ContentHash(bytes: try readBytes(16)) else { throw failure("not a hash") }
    return hash
  }

  /// Of the stream in a file.
  mutating func readByteCount() throws(Failure) -> Int64 {
    let count = try read(Int64.self)
    guard (0...Self.maximumCount).contains(count) else { throw failure("no file has \(count) bytes") }
    return count
  }

  mutating func readProductKind() throws(Failure) -> ProductKind {
    let name = try readText(limit: 64)
    guard let kind = ProductKind(rawValue: name) else { throw failure("no product is called \(name)") }
    return kind
  }

  mutating func readReducedPicture() throws(Failure) -> ReducedPictureAnswer {
    switch try read(UInt8.self) {
    case 0: .unchanged
    case 1: .reduced(Array(try readLengthPrefixed(limit: WorkerProtocol.maximumPictureByteCount)))
    case 2: .unreadable(reason: try readText())
    case 3: .undecoded(reason: try readText())
    case let kind: throw failure("no answer about a picture has kind \(kind)")
    }
  }

  mutating func readArtwork() throws(Failure) -> Artwork {
    Artwork(
      pictureType: Int(try read(Int32.self)), mimeType: try readText(limit: 1024), caption: try readText(),
      hash: try readHash(),
      bytes: Array(try readLengthPrefixed(limit: WorkerProtocol.maximumPictureByteCount)))
  }

  mutating func readProduct() throws(Failure) -> Product {
    Product(
      kind: try readProductKind(), version: Int(try read(Int32.self)), parameters: try readText(limit: 4096),
      bytes: Array(try readLengthPrefixed()))
  }

  /// A range of frames that begins at 0 or later.
  mutating func readFrames() throws(Failure) -> Range<Int64> {
    let (start, end) = (try read(Int64.self), try read(Int64.self))
    guard start >= 0, end >= start else { throw failure("frames \(start) to \(end) are not a range") }
    return start..<end
  }

  mutating func readDecodedShape() throws(Failure) -> DecodedShape {
    let (rate, channelCount) = (Int(try read(UInt32.self)), Int(try read(UInt8.self)))
    guard (1...384_000).contains(rate), (1...64).contains(channelCount) else {
      throw failure("no recording has \(rate) Hz and \(channelCount) channels")
    }
    let encoding: AudioFormat.SampleEncoding = try readFlag() ? .integer : .floatingPoint
    guard let order = AudioFormat.ChannelOrder(rawValue: try read()) else { throw failure("not an order of channels") }
    return DecodedShape(
      format: AudioFormat(
        sampleRateInHz: rate, channelCount: channelCount, sampleEncoding: encoding, channelOrder: order,
        channelMask: try read(UInt32.self)),
      delayFrameCount: try readOptionalCount().map { Int($0) },
      paddingFrameCount: try readOptionalCount().map { Int($0) },
      stream: try readFlag() ? try readStreamIdentity() : nil)
  }

  mutating func readStreamIdentity() throws(Failure) -> StreamIdentity {
    let (hash, version) = (try readHash(), Int(try read(UInt8.self)))
    guard (1...StreamIdentity.currentVersion).contains(version) else { throw failure("no hash has version \(version)") }
    let (replaced, former) = (try readOptionalHash(), try readOptionalHash())
    let byteCount = try readByteCount()
    guard let declaration = StreamDeclaration(try readText(limit: 256)) else { throw failure("not a declaration") }
    return StreamIdentity(
      hash: hash, hashVersion: version, replacedHash: replaced, formerHash: former, byteCount: byteCount,
      declaration: declaration)
  }

  private mutating func readOptionalHash() throws(Failure) -> ContentHash? { try readFlag() ? try readHash() : nil }

  private mutating func readOptionalProblem() throws(Failure) -> Problem? {
    guard try readFlag() else { return nil }
    return Problem(
      code: try readText(limit: 256), reason: try readText(limit: 65_536), positionInSeconds: try readOptionalDouble())
  }

  mutating func readExtraction() throws(Failure) -> Extraction {
    let stateName = try readText(limit: 64)
    guard let state = FileState(rawValue: stateName) else { throw failure("no state is called \(stateName)") }
    var extraction = Extraction(state: state)
    extraction.problem = try readOptionalProblem()
    if try readFlag() {
      extraction.decoded = DecodedStream(problem: try readOptionalProblem(), sampleHash: try readOptionalHash())
    }
    extraction.isChecked = try readFlag()
    for _ in 0..<(try readCount(limit: 1000)) { extraction.notes.append(try readText(limit: 4096)) }
    if try readFlag() { extraction.format = try readFormat() }
    var properties: [Tags.Property] = []
    for _ in 0..<(try readCount(limit: 100_000)) {
      let name = try readText()
      var values: [String] = []
      for _ in 0..<(try readCount(limit: 100_000)) { values.append(try readText()) }
      properties.append(Tags.Property(name: name, values: values))
    }
    extraction.tags = Tags(properties)
    if try readFlag() { extraction.parts = try readPartList() }
    if try readFlag() { extraction.measures = try readMeasures() }
    return extraction
  }

  mutating func readFlag() throws(Failure) -> Bool {
    switch try read(UInt8.self) {
    case 0: false
    case 1: true
    default: throw failure("neither 0 nor 1")
    }
  }

  private mutating func readCount(limit: UInt32) throws(Failure) -> UInt32 {
    let count = try read(UInt32.self)
    guard count <= limit else { throw failure("count \(count) exceeds \(limit)") }
    return count
  }

  private mutating func readOptional<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(Failure)
    -> Value?
  {
    try readFlag() ? try read(Value.self) : nil
  }

  /// nil also for NaN and infinities, which are never stored.
  private mutating func readOptionalDouble() throws(Failure) -> Double? {
    guard let bits = try readOptional(UInt64.self) else { return nil }
    let value = Double(bitPattern: bits)
    return value.isFinite ? value : nil
  }

  /// A count that cannot be negative.
  private mutating func readOptionalCount(limit: Int64 = .max) throws(Failure) -> Int64? {
    guard let value = try readOptional(Int64.self) else { return nil }
    guard (0...limit).contains(value) else { throw failure("\(value) cannot be a count") }
    return value
  }

  private mutating func readFormat() throws(Failure) -> MediaFormat {
    let container = Container(rawValue: try readText(limit: 64))
    let codec = try readText(limit: 64)
    return MediaFormat(
      container: container,
      codec: codec.isEmpty ? nil : Codec(rawValue: codec),
      sampleRateInHz: try readOptionalCount().map { Int($0) },
      channelCount: try readOptionalCount().map { Int($0) },
      bitsPerSample: try readOptionalCount().map { Int($0) },
      bitRateInBitsPerSecond: try readOptionalCount().map { Int($0) },
      declaredFrameCount: try readOptionalCount(),
      decodedFrameCount: try readOptionalCount(limit: Self.maximumCount),
      delayFrameCount: try readOptionalCount().map { Int($0) },
      paddingFrameCount: try readOptionalCount().map { Int($0) })
  }

  private mutating func readPartList() throws(Failure) -> PartList {
    let name = try readText(limit: 64)
    guard let source = PartList.Source(rawValue: name) else { throw failure("no parts come from \(name)") }
    var notes: [String] = []
    for _ in 0..<(try readCount(limit: 10)) { notes.append(try readText(limit: 64)) }
    var parts: [Part] = []
    for _ in 0..<(try readCount(limit: UInt32(PartList.maximumCount))) {
      var part = Part(frames: try readFrames())
      for column in PartTags.columns {
        let text = try readText(limit: 65_536)
        part.tags[keyPath: column.path] = text.isEmpty ? nil : text
      }
      parts.append(part)
    }
    guard let list = PartList(checking: parts, from: source, notes: notes) else { throw failure("parts without order") }
    return list
  }

  private mutating func readMeasures() throws(Failure) -> Measures {
    var measures = Measures()
    for column in Measures.columns {
      switch column.slot {
      case .real(let path): measures[keyPath: path] = try readOptionalDouble()
      case .count(let path): measures[keyPath: path] = try readOptionalCount().map { Int($0) }
      }
    }
    return measures
  }
}
