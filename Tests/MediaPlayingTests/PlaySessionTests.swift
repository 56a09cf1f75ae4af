import Base
import MediaPlaying
import Testing

struct PlaySessionTests {
  @Test func `what was played comes back from its document`() throws {
    let session = PlaySession(
      library: "/home/a/library.sqlite", items: [PlayItem(17), PlayItem(3, part: 2)], place: 1, seconds: 61.25,
      volume: 0.5)
    #expect(try PlaySession(json: Array(session.document.text.utf8)) == session)
  }

  @Test(arguments: [
    "", "{}", #"{"tracks": []}"#, #"{"tracks": ["x"]}"#, #"{"tracks": ["1#"]}"#, #"{"tracks": ["1"], "place": 1}"#,
  ])
  func `a document that is no session is refused`(text: String) {
    #expect(throws: PlayingError.self) { try PlaySession(json: Array(text.utf8)) }
  }

  @Test func `numbers that make no sense are brought into range`() throws {
    let text = #"{"tracks": ["1"], "place": 0, "seconds": -4, "volume": 7}"#
    let session = try PlaySession(json: Array(text.utf8))
    #expect(session.seconds == 0 && session.volume == 1)
  }
}
