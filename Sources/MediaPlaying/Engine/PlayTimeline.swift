/// Which frame of which track is heard, by how many frames have reached the sink.
struct PlayTimeline {
  private struct Mark {
    let output: Int64
    let place: Int
    let frame: Int64
    /// Frames of the recording in each frame of the sink.
    let ratio: Double
  }

  private var marks: [Mark] = []

  /// From this frame of the sink on, a track is heard from one of its frames on.
  mutating func append(atOutput output: Int64, place: Int, frame: Int64, ratio: Double) {
    marks.append(Mark(output: output, place: place, frame: frame, ratio: ratio))
  }

  mutating func removeAll() { marks = [] }

  /// Forgets marks that were passed.
  mutating func prune(before output: Int64) {
    while marks.count > 1, marks[1].output <= output { marks.removeFirst() }
  }

  /// nil before the first frame.
  func heard(atOutput output: Int64) -> (place: Int, frame: Int64)? {
    guard let mark = marks.last(where: { $0.output <= output }) ?? marks.first else { return nil }
    return (mark.place, mark.frame + Int64(Double(max(0, output - mark.output)) * mark.ratio))
  }
}
