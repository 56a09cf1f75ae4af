internal import ArgumentParser
internal import MediaExport

/// How a PNG is compressed.
struct PNGOptions: ParsableArguments {
  @Option(
    name: [.customLong("compression"), .customLong("png-compression")],
    help: ArgumentHelp("Of a PNG: 0 (none) to 9 (most), -1 for zlib's own choice.", valueName: "level"))
  var level = -1

  var compression: PNGCompression? { PNGCompression(level: level) }

  func validate() throws {
    if compression == nil { throw ValidationError("--compression takes -1 to 9") }
  }
}
