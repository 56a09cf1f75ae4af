internal import ArgumentParser
internal import Base
internal import MediaModel
internal import MediaRendering

/// A part of a track.
struct PartOptions: ParsableArguments {
  @Option(name: .letter("s"), help: ArgumentHelp("The start of the part (default: 0).", valueName: "seconds"))
  var start: SecondsArgument?

  @Option(
    name: .letter("e"), help: ArgumentHelp("The end of the part (default: the end of the track).", valueName: "seconds")
  )
  var end: SecondsArgument?

  var part: TrackPart { TrackPart(startInSeconds: start?.seconds, endInSeconds: end?.seconds) }

  func validate() throws {
    if let start, let end, end.seconds <= start.seconds { throw ValidationError("--end must be after --start") }
  }
}

/// A time in seconds, at least 0: `62.5`, `1:02.5`, `1m2.5s`.
struct SecondsArgument: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    guard let seconds = DecimalText.parse(argument) ?? DurationText.parse(argument), seconds >= 0, seconds <= 1e9 else {
      return nil
    }
    self.seconds = seconds
  }

  /// The frame at that time; if the number is too large to count, one beyond the end of every track.
  func frame(atRateInHz rate: Int) -> Int64 { FrameIndex.frame(atSeconds: seconds, rateInHz: Double(rate)) }
}

/// Frames for each point, or `auto`.
enum ZoomArgument: Hashable, ExpressibleByArgument {
  case frames(Int)
  case auto

  init?(argument: String) {
    if argument == "auto" {
      self = .auto
    } else if let frames = Int(argument), (2...Int(Int32.max)).contains(frames), argument.allSatisfy(\.isNumber) {
      self = .frames(frames)
    } else {
      return nil
    }
  }
}
