import MediaModel

/// Where a file has its stream, and how it is hashed and decoded: what opening a file finds.
///
/// Packets that are walked one by one go to the hashers when the file is opened; ``finish(_:_:)`` adds the rest.
protocol StreamLayout {
  /// What the file says about its stream, and whether it contradicts it.
  var declaration: StreamDeclaration { get }

  /// Whether opening and ``finish(_:_:)`` also make version 1 of the hash. If not, it is that of ranges of the file,
  /// and complete when ``finish(_:_:)`` is called.
  var hasFormerHash: Bool { get }

  /// Adds to the hashes what was not added when the file was opened.
  ///
  /// - Returns: the bytes of the stream; nil if there is no decoder for it: then version 1 alone identifies it.
  func finish(_ hashers: StreamHashers, _ bytes: BufferedBytes) throws(DecodingError) -> Int64?

  /// Reports what the stream passes over in its own bytes.
  func account(to account: inout FileAccount) throws(DecodingError)

  /// - Parameter container: of the file.
  func makeEngine(
    _ bytes: BufferedBytes, in container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine
}

extension StreamLayout {
  var hasFormerHash: Bool { false }

  func account(to account: inout FileAccount) throws(DecodingError) {}
}

/// What a decode finds out besides the samples.
struct DecodingOptions {
  /// Compare the checksum in the file's header.
  var verifiesChecksum = false
  /// Hash the samples of lossless codecs.
  var hashesSamples = false
}
