import MediaPlaying
import Testing

struct PlayQueueTests {
  private let items = (1...4).map { PlayItem($0) }

  @Test(arguments: [(.off, 1, 2), (.off, 3, nil), (.all, 3, 0), (.one, 1, 1)] as [(PlayQueue.Repetition, Int, Int?)])
  func `what comes by itself depends on what is repeated`(repetition: PlayQueue.Repetition, place: Int, next: Int?) {
    #expect(PlayQueue(items, repetition: repetition).place(after: place) == next)
  }

  @Test(
    arguments: [
      (.off, 0, -1, nil), (.off, 3, 1, nil), (.one, 1, 1, 2), (.all, 3, 1, 0), (.all, 0, -1, 3),
    ] as [(PlayQueue.Repetition, Int, Int, Int?)])
  func `a key leads one track on or back`(repetition: PlayQueue.Repetition, place: Int, step: Int, next: Int?) {
    #expect(PlayQueue(items, repetition: repetition).place(from: place, by: step) == next)
  }

  @Test(
    arguments: [(1, [1, 2, 9, 8]), (3, [1, 2, 3, 4, 9, 8]), (7, [1, 2, 3, 4, 9, 8]), (-1, [9, 8])] as [(Int, [Int64])])
  func `what follows a place can be replaced`(place: Int, expected: [Int64]) {
    var queue = PlayQueue(items)
    queue.replace(after: place, with: [PlayItem(9), PlayItem(8)])
    #expect(queue.items.map(\.recordingID) == expected)
  }

  @Test func `shuffling keeps what was played`() {
    var queue = PlayQueue((1...100).map { PlayItem($0) })
    var generator = SystemRandomNumberGenerator()
    queue.shuffle(after: 9, using: &generator)
    #expect(queue.items[..<10].elementsEqual((1...10).map { PlayItem($0) }))
    #expect(Set(queue.items).count == 100 && queue.items != (1...100).map { PlayItem($0) })
  }
}
