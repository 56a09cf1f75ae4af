package import Base
internal import MediaModel
package import MediaStore

extension ComparedTrack {
  /// The track as `similar --json` and the API give it.
  package func json(likeness: Double? = nil) -> JSONValue {
    let object: JSONValue = .object([
      "id": .integer(recordingID), "likeness": .number(likeness), "artist": .string(artist),
      "title": .string(title), "album": .string(album), "bpm": .number(beatsPerMinute),
      "key": .string(key?.name), "camelot": .string(key?.camelot),
      "duration_seconds": .number(durationInSeconds),
    ])
    return object.preceded(by: JSONValue.path(path))
  }
}
