internal import Synchronization

/// What names of artists lead to, so that the key of each is made once. Names of later ones are not kept if there are very many.
final class AskedNames: Sendable {
  private static let largestCount = 50_000
  private let places = Mutex<[String: Int?]>([:])

  func place(of name: String, _ find: () -> Int?) -> Int? {
    if let known = places.withLock({ $0[name] }) { return known }
    let place = find()
    guard name.utf8.count <= 200 else { return place }
    places.withLock { if $0.count < Self.largestCount { $0[name] = .some(place) } }
    return place
  }
}
