internal import ArgumentParser
internal import AudioDecoding
internal import Base
internal import Foundation
internal import Glibc
internal import MediaModel

/// Opens files as a scan does.
enum OpenedFile {
  /// Calls `body` with an open file, and closes it.
  static func read<Result>(_ path: BytePath, _ body: (inout MediaFile) throws -> Result) throws -> Result {
    let folder = try FolderDescriptor(opening: path.parent)
    let opened = try folder.openRegularFile(path.lastComponent, followsLinks: true)
    defer { close(opened.descriptor) }
    var file = try MediaFile(
      descriptor: opened.descriptor, byteCount: opened.status.byteCount, pathExtension: path.pathExtension)
    return try body(&file)
  }
}

/// The decoded start of one file in memory, so that analysis can be measured without decoding.
struct DecodedMusic {
  let format: AudioFormat
  private(set) var samples: [Float] = []
  /// Of the whole file, not only of what is kept.
  private(set) var durationInSeconds = 0.0
  private(set) var mediaFormat: MediaFormat
  private(set) var decodedStream: DecodedStream

  /// Seconds that are kept.
  var keptSeconds: Double { Double(samples.count / format.channelCount) / Double(format.sampleRateInHz) }

  /// Decodes to the end.
  ///
  /// - Parameters:
  ///   - keeping: The most that is kept, in seconds; with 0 this is decoding alone.
  ///   - hashesSamples: Whether lossless samples are hashed, as a scan does.
  init(decoding file: borrowing MediaFile, keeping seconds: Double, hashesSamples: Bool = false) throws {
    // As many frames as a worker decodes at once.
    let framesPerBlock = 8192
    let decoder = try file.makeDecoder(hashesSamples: hashesSamples)
    format = decoder.format
    var block = [Float](repeating: 0, count: framesPerBlock * format.channelCount)
    let limit = Int(seconds * Double(format.sampleRateInHz)) * format.channelCount
    var frameCount = 0
    while true {
      var span = block.mutableSpan
      // A damaged file is used up to the damage.
      let count = (try? decoder.read(into: &span)) ?? 0
      guard count > 0 else { break }
      frameCount += count
      let kept = min(count * format.channelCount, limit - samples.count)
      if kept > 0 { samples.append(contentsOf: block[..<kept]) }
    }
    durationInSeconds = Double(frameCount) / Double(format.sampleRateInHz)
    mediaFormat = decoder.mediaFormat
    decodedStream = decoder.decodedStream
  }
}

/// `deadwax-bench decode`: the library's own decoders as a program, to be compared with other decoders.
struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "Decode files one after the other and discard the samples.",
    shouldDisplay: false)

  @Argument(help: "Files.")
  var files: [String]

  func run() throws {
    for file in files {
      try OpenedFile.read(BytePath(URL(filePath: file).path)) { _ = try DecodedMusic(decoding: $0, keeping: 0) }
    }
  }
}
