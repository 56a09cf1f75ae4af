internal import Base
internal import Glibc
package import WebRequests

/// The question which recordings a fingerprint is.
package struct AcoustIDQuestion: Hashable, Sendable {
  /// Of the whole recording, whole seconds.
  package let durationInSeconds: Int64
  /// Compressed, as `fpcalc` prints it.
  package let fingerprint: String

  package init(durationInSeconds: Int64, fingerprint: String) {
    self.durationInSeconds = durationInSeconds
    self.fingerprint = fingerprint
  }
}

package enum AcoustIDError: Error, Hashable, CustomStringConvertible {
  case request(WebError)
  /// What the service says of a request that it refuses.
  case refused(host: String, code: Int, message: String)
  /// An answer that is not the service's: that of a proxy, or of another server.
  case unexpected(host: String, status: Int)

  package var description: String {
    switch self {
    case .request(let error): error.description
    case .refused(let host, let code, let message): "\(host): \(message) (error \(code))"
    case .unexpected(let host, let status): "\(host) did not answer like AcoustID (HTTP status \(status))"
    }
  }
}

/// The web service of AcoustID, version 2: batches of questions, at most three requests a second.
///
/// A request has the key, and for each recording its duration and fingerprint: no name, no path, no tag. Requests that the service
/// cannot take now (status 429 and 5xx) are repeated after the time it names, or 1, 2, 4 and 8 seconds.
///
/// Its rules and the limit of questions are those of <https://acoustid.org/webservice> and of the server's source.
package struct AcoustIDService {
  package static let address = "https://api.acoustid.org/v2/lookup"
  /// The service takes 20, and has announced to take fewer.
  package static let mostQuestions = 10
  private static let secondsBetweenRequests = 0.34
  private static let attemptCount = 5
  private static let mostSecondsOfWaiting = 60.0
  private static let mostAnswerBytes = 4 << 20

  private let address: String
  private let key: String
  private let wait: (Double) -> Void
  /// By the monotonic clock.
  private var nextRequestAt = 0.0

  /// - Parameters:
  ///   - key: Of an application, as <https://acoustid.org/new-application> gives it.
  ///   - wait: Is called for each pause, with seconds.
  package init(
    at address: String = AcoustIDService.address, key: String,
    wait: @escaping (Double) -> Void = { usleep(UInt32($0 * 1e6)) }
  ) {
    self.address = address
    self.key = key
    self.wait = wait
  }

  /// The fields of the request for some questions, in the order in which they are sent.
  ///
  /// - Precondition: At most ``mostQuestions``.
  package static func fields(for questions: [AcoustIDQuestion], key: String) -> [(name: String, value: String)] {
    precondition(questions.count <= mostQuestions, "too many questions for one request")
    var fields = [
      ("client", key), ("format", "json"), ("batch", "1"), ("meta", "recordings releasegroups compress"),
    ]
    for (index, question) in questions.enumerated() {
      // Zero would count as missing.
      fields.append(("duration.\(index)", "\(max(1, question.durationInSeconds))"))
      fields.append(("fingerprint.\(index)", question.fingerprint))
    }
    return fields
  }

  /// The matches of each question, the best first; nil for one whose fingerprint the service does not take.
  ///
  /// - Parameter questions: At most ``mostQuestions``.
  package mutating func matches(of questions: [AcoustIDQuestion]) throws(AcoustIDError) -> [[AcoustIDMatch]?] {
    let form = WebRequest.form(Self.fields(for: questions, key: key))
    var request = WebRequest(
      url: address, .post(body: form, contentType: "application/x-www-form-urlencoded"))
    request.headers = [("User-Agent", "Deadwax/\(ProgramVersion.current)")]
    request.mostBodyBytes = Self.mostAnswerBytes
    let host = request.host ?? address
    let response = try response(to: request)
    guard let document = try? JSONValue(parsing: response.body) else {
      throw .unexpected(host: host, status: response.status)
    }
    if let matches = AcoustIDMatch.all(in: document, questionCount: questions.count) { return matches }
    guard document["status"]?.string == "error", let message = document["error"]?["message"]?.string
    else { throw .unexpected(host: host, status: response.status) }
    let code = document["error"]?["code"]?.double.flatMap { Int(exactly: $0) }
    // The key must not be printed, not even if the service repeats it.
    let shown = (key.isEmpty ? message : message.replacing(key, with: "[key]")).limited(toScalarCount: 200)
    throw .refused(host: host, code: code ?? 0, message: shown)
  }

  private mutating func response(to request: WebRequest) throws(AcoustIDError) -> WebResponse {
    var attempt = 1
    while true {
      let response: WebResponse
      pause(untilAtLeast: nextRequestAt)
      nextRequestAt = monotonicSeconds() + Self.secondsBetweenRequests
      do throws(WebError) { response = try WebClient.send(request) } catch { throw .request(error) }
      guard response.status == 429 || response.status >= 500, attempt < Self.attemptCount else { return response }
      let named = response.headers["retry-after"].flatMap(DecimalText.parse)
      let seconds = min(max(named ?? Double(1 << (attempt - 1)), 0), Self.mostSecondsOfWaiting)
      nextRequestAt = max(nextRequestAt, monotonicSeconds() + seconds)
      attempt += 1
    }
  }

  private func pause(untilAtLeast instant: Double) {
    let seconds = instant - monotonicSeconds()
    if seconds > 0 { wait(seconds) }
  }
}
