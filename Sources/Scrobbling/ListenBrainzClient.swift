internal import Base
internal import WebRequests

/// The API of ListenBrainz, or of a server of one's own that speaks it.
package struct ListenBrainzClient: Sendable {
  /// The service takes at most 1,000 at once.
  static let largestCount = 200
  /// A service that wants to be asked later waits at least so long, whatever it says.
  private static let leastPauseInSeconds = 1.0

  private let address: String
  let version: String

  /// - Parameters:
  ///   - address: such as `https://api.listenbrainz.org`.
  ///   - version: of this program.
  package init(address: String, version: String) {
    self.address = String(address.reversed().drop { $0 == "/" }.reversed())
    self.version = version
  }

  /// What becomes of a submission.
  enum Outcome: Equatable {
    /// - Parameter pauseInSeconds: how long the service wants to be left alone.
    case taken(pauseInSeconds: Double)
    /// Too many requests.
    case later(afterSeconds: Double)
    case refusedToken
    /// The service will never take it.
    case invalid(reason: String)
    /// The service is not there, or does not work.
    case failed(reason: String)
  }

  /// - Parameter listens: one that is heard now, or up to ``largestCount`` that were heard.
  func submit(
    _ listens: [Listen], areHeardNow: Bool, token: String, isCancelled: @escaping () -> Bool
  ) -> Outcome {
    let type = areHeardNow ? "playing_now" : listens.count == 1 ? "single" : "import"
    let body = JSONValue.object([
      "listen_type": .string(type), "payload": .array(listens.map(\.document)),
    ])
    var request = WebRequest(
      url: address + "/1/submit-listens", .post(body: Array(body.text.utf8), contentType: "application/json"))
    request.headers = [("Authorization", "Token \(token)"), ("User-Agent", "Deadwax/\(version)")]
    request.mostBodyBytes = 1 << 20
    do throws(WebError) {
      return Self.outcome(of: try WebClient.send(request, isCancelled: isCancelled), token: token)
    } catch {
      return .failed(reason: error.description)
    }
  }

  /// - Parameter token: is left out of reasons, which are printed, if the service repeats it.
  static func outcome(of response: WebResponse, token: String) -> Outcome {
    func seconds(_ name: String) -> Double? {
      response.headers[name].flatMap(DecimalText.parse).map { min(max($0, 0), 3600) }
    }
    switch response.status {
    case 200..<300:
      let isUsedUp = seconds("x-ratelimit-remaining") == 0
      return .taken(pauseInSeconds: isUsedUp ? seconds("x-ratelimit-reset-in") ?? 0 : 0)
    case 401, 403: return .refusedToken
    case 400, 413, 422: return .invalid(reason: reason(response, token))
    case 429:
      let named = seconds("x-ratelimit-reset-in") ?? seconds("retry-after") ?? 10
      return .later(afterSeconds: max(named, Self.leastPauseInSeconds))
    default: return .failed(reason: reason(response, token))
    }
  }

  /// `status 400: JSON document …`, in one line.
  private static func reason(_ response: WebResponse, _ token: String) -> String {
    let error = (try? JSONValue(parsing: response.body))?["error"]?.string
    let said = token.isEmpty ? error : error?.replacing(token, with: "[token]")
    return "status \(response.status)"
      + (said.map { ": \(TerminalText.escaped($0.limited(toScalarCount: 200)))" } ?? "")
  }
}
