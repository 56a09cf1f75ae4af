import MediaModel

/// Sun's AU, in either byte order.
struct AUFormat: SampleFormat {
  let containersByExtension: [String: Set<Container>] = ["au": [.au], "snd": [.au]]

  /// What stands between header and data is a text.
  private static let mostTextByteCount: Int64 = 4096

  func sniff(_ start: FileStart) throws(DecodingError) -> SniffedContent? {
    guard start.has(".snd", at: 0) || start.has("dns.", at: 0) else { return nil }
    return try content(start.bytes, in: .au)
  }

  func layout(_ bytes: BufferedBytes) throws(DecodingError) -> PCMLayout {
    try .au(bytes, from: TagBounds.start(of: bytes))
  }

  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError) {
    guard let layout = layout as? PCMLayout else { return }
    let textEnd = try TagBounds.start(of: file.bytes) + 24 + Self.mostTextByteCount
    try account.leave(textEnd..<max(textEnd, layout.data.lowerBound))
    try account.leave(layout.data.upperBound..<max(layout.data.upperBound, file.bytes.byteCount))
  }
}
