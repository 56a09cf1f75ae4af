/// Processor seconds of named stages, in the order in which they were first measured.
struct StageTimes {
  struct Stage {
    let name: String
    /// Summed over files: the median of each.
    var seconds = 0.0
    /// What `seconds` were spent on.
    var audioInSeconds = 0.0
  }

  private(set) var stages: [Stage] = []

  subscript(name: String) -> Stage? { stages.first { $0.name == name } }

  mutating func add(_ name: String, seconds: Double, audioInSeconds: Double) {
    let index = stages.firstIndex { $0.name == name } ?? stages.endIndex
    if index == stages.endIndex { stages.append(Stage(name: name)) }
    stages[index].seconds += seconds
    stages[index].audioInSeconds += audioInSeconds
  }
}

extension StageTimes.Stage {
  var secondsPerHour: Double? { audioInSeconds > 0 ? seconds / audioInSeconds * 3600 : nil }
}
