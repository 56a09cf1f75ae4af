internal import ArgumentParser
internal import Base
internal import MediaDrawing
internal import MediaModel

/// How a PNG is compressed.
struct PNGOptions: ParsableArguments {
  @Option(
    name: [.customLong("compression"), .customLong("png-compression")],
    help: ArgumentHelp("PNG compression: 0 (none) to 9 (most), -1 for zlib's default.", valueName: "level"))
  var level = -1

  var compression: PNGCompression? { PNGCompression(level: level) }

  func validate() throws {
    if compression == nil { throw ValidationError("--compression takes -1 to 9") }
  }
}

extension PictureColor: ExpressibleByArgument {
  package init?(argument: String) { self.init(hexadecimal: argument) }
}

/// Colours separated by commas.
struct ColorListArgument: ExpressibleByArgument {
  let colors: [PictureColor]

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let colors = words.compactMap { PictureColor(hexadecimal: String($0)) }
    guard colors.count == words.count else { return nil }
    self.colors = colors
  }
}

enum ColorsArgument: String, CaseIterable, ExpressibleByArgument {
  case audacity, audition, dark, light

  var colors: WaveformColors {
    switch self {
    case .audacity: .audacity
    case .audition: .audition
    case .dark: .dark
    case .light: .light
    }
  }
}

/// The two flags of audiowaveform, which are not `--x` and `--no-x`.
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
