package import Base
internal import LibraryTracks
package import MediaModel

/// What is wrong with the sound of a track, as the last scan found it in the file that is read.
///
/// It is reported with every file, stream and drawing that is made of the sound: what is missing cannot be heard.
package struct SoundDamage: Hashable, Sendable {
  package let path: BytePath
  package let problem: Problem

  /// One line, such as `/music/a.flac: damaged at 0:01: truncated: 18432 of 32000 frames`; not escaped.
  package var text: String {
    let place = problem.positionInSeconds.map { " at " + DurationText.clock($0) } ?? ""
    return "\(path.displayString): damaged\(place): \(problem.reason)"
  }

  /// For answers that are made of the sound: the code, and the position in seconds if it is known.
  package var header: (String, String) {
    let place = problem.positionInSeconds.map { "; position=" + DecimalText.number($0, places: 3) } ?? ""
    return ("Deadwax-Damage", problem.code + place)
  }

  package init(path: BytePath, problem: Problem) {
    self.path = path
    self.problem = problem
  }
}

extension RecordingSource {
  /// nil if the file that ``makeReader()`` opens first is intact, or the part that is meant ends before the damage.
  package var damage: SoundDamage? {
    let files = filesByTrimming
    guard let file = files.first(where: { $0.missingSince == nil }) ?? files.first, let problem = file.problem else {
      return nil
    }
    if let position = problem.positionInSeconds, let part = track.part, let rate = track.format.sampleRateInHz,
      position * Double(rate) > Double(part.part.frames.upperBound)
    {
      return nil
    }
    return SoundDamage(path: file.path, problem: problem)
  }

  /// The headers of an answer that is made of the sound.
  package var damageHeaders: [(String, String)] { damage.map { [$0.header] } ?? [] }
}
