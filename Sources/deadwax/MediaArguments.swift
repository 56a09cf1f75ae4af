internal import ArgumentParser
internal import MediaExport
internal import MediaModel

/// A time in seconds, at least 0: `62.5`, `1:02.5`, `1m2.5s`.
struct SecondsArgument: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    guard let seconds = DecimalText.parse(argument) ?? DurationText.parse(argument), seconds >= 0, seconds <= 1e9 else {
      return nil
    }
    self.seconds = seconds
  }

  /// The frame that the time lies in; beyond every track where a rate makes more of it than a count of frames holds.
  func frame(atRateInHz rate: Int) -> Int64 { FrameIndex.frame(atSeconds: seconds, rateInHz: Double(rate)) }
}

/// Frames a point, or `auto`.
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

/// audiowaveform's two flags, of which the second is not the first with a "no" before it.
enum AxisArgument: EnumerableFlag {
  case withAxisLabels, noAxisLabels
}

enum ShapeArgument: String, CaseIterable, ExpressibleByArgument {
  case normal, bars
}

extension WaveformPicture.Style: ExpressibleByArgument {}

extension AmplitudeScale: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  package var defaultValueDescription: String {
    switch self {
    case .factor(let factor): DecimalText.number(factor, places: 6)
    case .automatic: "auto"
    }
  }
}
