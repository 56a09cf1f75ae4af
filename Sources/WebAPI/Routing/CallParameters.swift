internal import Base
internal import HTTPServing
internal import LibraryTracks
internal import MediaStore

extension Call {
  /// - Throws: ``HTTPProblem`` for a value out of range.
  subscript<Value>(parameter: Parameter<Value>) -> Value {
    get throws(HTTPProblem) {
      guard let text = query.first(parameter.description.name) else { return parameter.fallback }
      guard let value = parameter.parse(text) else {
        let (name, meaning) = (parameter.description.name, parameter.description.meaning)
        throw HTTPProblem(422, "\(name): \(meaning); '\(text.cut(toByteCount: 40))' is not possible")
      }
      return value
    }
  }

  /// The number of a thing, a track or a list, in the path.
  ///
  /// - Throws: ``HTTPProblem`` if it is none: there is no such thing.
  func id(of thing: String = "track") throws(HTTPProblem) -> Int64 {
    guard let text = values["id"], text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let id = Int64(text) else {
      throw HTTPProblem(404, "there is no \(thing) \(values["id"] ?? "")")
    }
    return id
  }

  /// The track of the path.
  func track(in store: MediaStore) throws -> TrackReference {
    let id = try id()
    do {
      guard let track = try store.tracks.named(BytePath(String(id))) else { throw TrackError.noTrack(id: id) }
      return track
    } catch TrackError.noTrack {
      throw HTTPProblem(404, "there is no track \(id)")
    }
  }

  /// The track of the path, or a part of it: `17`, `17#3`.
  func trackOrPart(in store: MediaStore) throws -> TrackReference {
    let text = values["id"] ?? ""
    let numbers = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
      throw HTTPProblem(404, "there is no track \(text)")
    }
    do {
      guard let track = try store.tracks.named(BytePath(text)) else { throw TrackError.noTrack(id: .max) }
      return track
    } catch is TrackError {
      throw HTTPProblem(404, "there is no track \(text)")
    }
  }

  /// The object in the body.
  func document() throws(HTTPProblem) -> JSONValue {
    let type = self[header: "content-type"]?.split(separator: ";").first.map { $0.lowercased() }
    guard type == MediaType.json.rawValue else { throw HTTPProblem(415, "the body must be application/json") }
    guard let value = try? JSONValue(parsing: body), value.members != nil else {
      throw HTTPProblem(400, "the body is not a JSON object")
    }
    return value
  }
}
