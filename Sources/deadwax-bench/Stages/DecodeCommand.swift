internal import ArgumentParser
internal import Foundation
internal import MediaModel

/// `deadwax-bench decode`: what other decoders are for other formats, to be measured from outside.
struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "Decode files one after the other and do nothing with the sound.",
    shouldDisplay: false)

  @Argument(help: "Files.")
  var files: [String]

  func run() throws {
    for file in files {
      try OpenedFile.read(BytePath(URL(filePath: file).path)) { _ = try DecodedMusic(decoding: $0, keeping: 0) }
    }
  }
}
