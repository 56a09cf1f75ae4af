package import MediaModel

extension WaveformPeaks {
  /// The JSON that audiowaveform writes: version 2, its key order, one line without spaces, ended by a newline.
  package var jsonText: String {
    "{\"version\":2,\"channels\":\(channelCount),\"sample_rate\":\(sampleRateInHz),"
      + "\"samples_per_pixel\":\(framesPerPoint),\"bits\":\(resolution.rawValue),\"length\":\(pointCount),"
      + "\"data\":[\(values.map(String.init).joined(separator: ","))]}\n"
  }

  /// The JSON that wavesurfer.js takes as its options `peaks` and `duration`: a list of numbers a channel, each the
  /// largest excursion below a point, `0...1`.
  package func playerText(durationInSeconds: Double) -> String {
    let fullScale = Double(1 << (resolution.rawValue - 1))
    let lists = (0..<channelCount).map { channel in
      let numbers = (0..<pointCount).map { point in
        let index = 2 * (point * channelCount + channel)
        let excursion = max(abs(Int(values[index])), abs(Int(values[index + 1])))
        return DecimalText.number(min(Double(excursion) / fullScale, 1), places: 4)
      }
      return "[\(numbers.joined(separator: ","))]"
    }
    return "{\"duration\":\(DecimalText.number(durationInSeconds, places: 6)),"
      + "\"peaks\":[\(lists.joined(separator: ","))]}\n"
  }

  /// The text that audiowaveform writes: a line a point, minimum and maximum of each channel, separated by commas.
  package var plainText: String {
    lines { _ in "" }
  }

  /// A table with a heading: the time of each point in seconds, then minimum and maximum of each channel.
  package var csvText: String {
    let names = channelCount == 1 ? ["min,max"] : (1...channelCount).map { "min_\($0),max_\($0)" }
    let secondsPerPoint = Double(framesPerPoint) / Double(max(sampleRateInHz, 1))
    return "time_seconds,\(names.joined(separator: ","))\n"
      + lines { DecimalText.number(Double($0) * secondsPerPoint, places: 6) + "," }
  }

  private func lines(prefix: (Int) -> String) -> String {
    let width = 2 * channelCount
    var text = ""
    for point in 0..<pointCount {
      text += prefix(point)
      text += values[point * width..<(point + 1) * width].lazy.map(String.init).joined(separator: ",")
      text += "\n"
    }
    return text
  }
}
