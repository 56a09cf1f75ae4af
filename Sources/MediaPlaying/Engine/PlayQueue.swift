/// The tracks to play, in the order in which they are played.
package struct PlayQueue: Sendable {
  package enum Repetition: String, CaseIterable, Sendable {
    case off, all, one
  }

  package private(set) var items: [PlayItem]
  package var repetition: Repetition

  package init(_ items: [PlayItem], repetition: Repetition = .off) {
    self.items = items
    self.repetition = repetition
  }

  /// What comes by itself after a place; nil at the end.
  package func place(after place: Int) -> Int? {
    switch repetition {
    case .one: place
    case .all: items.isEmpty ? nil : (place + 1) % items.count
    case .off: place + 1 < items.count ? place + 1 : nil
    }
  }

  /// Where a key leads: one track on or back, whatever is repeated; nil beyond the ends, unless all is repeated.
  package func place(from place: Int, by step: Int) -> Int? {
    let wanted = place + step
    if items.indices.contains(wanted) { return wanted }
    guard repetition == .all, !items.isEmpty else { return nil }
    return (wanted % items.count + items.count) % items.count
  }

  /// Puts other tracks behind a place.
  package mutating func replace(after place: Int, with others: [PlayItem]) {
    items.replaceSubrange(min(place + 1, items.count)..., with: others)
  }

  /// Shuffles what comes after a place.
  package mutating func shuffle(after place: Int, using generator: inout some RandomNumberGenerator) {
    guard place + 1 < items.count else { return }
    items[(place + 1)...].shuffle(using: &generator)
  }
}
