internal import ArgumentParser
internal import MediaExport

extension PictureColor: ExpressibleByArgument {
  package init?(argument: String) { self.init(hexadecimal: argument) }
}

/// Colours parted by commas.
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
