internal import ArgumentParser
internal import Foundation
internal import MediaModel
internal import MediaStore

/// `deadwax-bench library`: a large library to ask, made without any audio.
struct LibraryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "Make a library of made-up tracks: names, tags and measures as music has them, and no audio.",
    discussion: "The same numbers give the same library. A million tracks take some minutes and 3 GB.")

  @Option(help: ArgumentHelp("So many tracks.", valueName: "count"))
  var tracks = 1_000_000

  @Option(help: ArgumentHelp("Another number makes another library.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(name: [.short, .long], help: ArgumentHelp("The library to make; it must not exist.", valueName: "file"))
  var output: String

  func validate() throws {
    if !(1...10_000_000).contains(tracks) { throw ValidationError("--tracks takes a number from 1 to 10000000") }
  }

  func run() throws {
    guard !FileManager.default.fileExists(atPath: output) else { throw BenchFailure("\(output) exists already") }
    let store = try MediaStore(at: BytePath(output), access: .createIfMissing)
    let root = try store.addRoot(path: BytePath("/music"), volume: nil)
    var maker = LibraryMaker(seed: seed, rootID: root.id)
    let elapsed = try BenchClock.wall.measure {
      var remaining = tracks
      while remaining > 0 {
        let batch = maker.next(min(remaining, 5_000))
        try store.apply(batch)
        remaining -= batch.count
      }
      try store.close()
    }
    print("\(tracks) tracks in \(Int(elapsed)) s")
  }
}
