internal import ArgumentParser
internal import MediaExport
internal import MediaModel

/// 16, 24 or float.
enum SampleFormArgument: String, CaseIterable, ExpressibleByArgument {
  case int16 = "16"
  case int24 = "24"
  case float

  var form: SampleForm {
    switch self {
    case .int16: .int16
    case .int24: .int24
    case .float: .float32
    }
  }
}
