internal import Base
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import MediaStore

/// How tracks lead to each other.
struct TransitionRoutes {
  let library: LibraryAccess

  var routes: [Route] {
    [
      Route(
        .get, "/transitions", "How each of several tracks leads to the next, in frames of the programme.",
        [ids, style, rate], transitions)
    ]
  }

  private let ids = Parameter<[Int64]>.ids(
    "ids", "at most 200 ids of recordings, separated by commas, in the order in which they are played", limit: 200)
  private let style = Parameter<TransitionStyle>.choice("style", "gapless, silence or smart")
  private let rate = Parameter<Int64?>.optionalInteger(
    "rate", "the sample rate of the programme; without it that of the first track", 1_000...1_000_000)

  private func transitions(_ call: Call) throws -> Reply {
    let (ids, rate) = (try call[ids], try call[rate].map { Int($0) })
    let style = try call[style]
    let parts = try library.reading { store in
      do {
        let planned = try PlannedTransitions(
          ofRecordings: ids, atRateInHz: rate, by: TransitionPlanner(style: style), in: store)
        return Self.document(of: planned, style).parts
      } catch TrackError.noTrack(let id) {
        throw HTTPProblem(404, "there is no track \(id)")
      }
    }
    return try call.tagged(parts, .json)
  }

  private static func document(of planned: PlannedTransitions, _ style: TransitionStyle) -> JSONValue {
    let rate = planned.sampleRateInHz
    return .object([
      "schema": .integer(1), "style": .string(style.rawValue), "sample_rate_hz": .integer(rate),
      "tracks": .array(
        planned.items.map { item in
          let frameCount = item.length.map { Int64(($0 * Double(rate)).rounded()) }
          let next = item.transition.flatMap { transition in
            frameCount.map {
              RadioPlan.FrameTransition(transition, afterFrames: $0, sampleRateInHz: rate)
                .json(transition, afterFrames: $0)
            }
          }
          return .object([
            "id": .integer(item.recordingID), "frames": .integer(frameCount), "next": next ?? .null,
          ])
        }),
    ])
  }
}
