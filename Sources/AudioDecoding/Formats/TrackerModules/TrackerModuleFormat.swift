import MediaModel

/// Modules of trackers: MOD, S3M, XM and IT.
struct TrackerModuleFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = [
    "it": [.trackerModule], "xm": [.trackerModule], "s3m": [.trackerModule], "mod": [.trackerModule],
  ]

  private static let marksOfMOD: [StaticString] = [
    "M.K.", "M!K!", "M&K!", "FLT4", "FLT8", "4CHN", "6CHN", "8CHN", "CD81", "OKTA",
  ]

  func sniff(_ start: FileStart) -> SniffedContent? {
    if start.has("Extended Module: ", at: 0) { return .audio(.trackerModule, .fastTrackerModule, name: "XM module") }
    if start.has("IMPM", at: 0) { return .audio(.trackerModule, .impulseTrackerModule, name: "IT module") }
    if start.has("SCRM", at: 44) { return .audio(.trackerModule, .screamTrackerModule, name: "S3M module") }
    guard Self.marksOfMOD.contains(where: { start.has($0, at: 1080) }) else { return nil }
    return .audio(.trackerModule, .protrackerModule, name: "MOD module")
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    ModuleLayout(codec: file.content.codec)
  }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    let format: TagLibFormat =
      switch file.content.codec {
      case .impulseTrackerModule: .it
      case .fastTrackerModule: .xm
      case .screamTrackerModule: .s3m
      default: .mod
      }
    return try reader.read(as: format, measuring: file.bareFormat)
  }
}
