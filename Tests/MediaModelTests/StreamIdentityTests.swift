import MediaModel
import Testing
import TestSupport

/// What a file says about its stream: its order, and its text.
struct StreamDeclarationTests {
  private static let declarations: [StreamDeclaration] = [true, false].flatMap { isSound in
    [nil, 0, 312, 3840].flatMap { (delay: Int?) in
      [nil, 0, 1, 1 << 40].flatMap { (frameCount: Int64?) in
        [0, -1536, 256].map {
          StreamDeclaration(isSound: isSound, delayFrameCount: delay, frameCount: frameCount, outputGain: $0)
        }
      }
    }
  }

  @Test func `of two different declarations one is always the greater`() {
    for (number, left) in Self.declarations.enumerated() {
      #expect(!(left < left))
      for right in Self.declarations[(number + 1)...] { #expect((left < right) != (right < left), "\(left), \(right)") }
    }
  }

  @Test func `the order does not depend on the order in which declarations come`() {
    let expected = Self.declarations.sorted()
    var random = RepeatableRandom(seed: 25)
    for _ in 0..<20 { #expect(Self.declarations.shuffled(using: &random).sorted() == expected) }
  }

  @Test func `a sound file comes first, then one with a delay, then one without gain, then the longer`() {
    let best = StreamDeclaration(delayFrameCount: 312, frameCount: 10)
    let worse = [
      StreamDeclaration(isSound: false, delayFrameCount: 312, frameCount: 1000), StreamDeclaration(frameCount: 1000),
      StreamDeclaration(delayFrameCount: 312, frameCount: 1000, outputGain: 5),
      StreamDeclaration(delayFrameCount: 312, frameCount: 9),
    ]
    for declaration in worse { #expect(declaration < best) }
  }

  @Test func `a declaration is read back from its text`() {
    for declaration in Self.declarations { #expect(StreamDeclaration(declaration.description) == declaration) }
    #expect(
      StreamDeclaration(delayFrameCount: 312, frameCount: 1_323_000).description == "sound delay=312 frames=1323000")
  }

  @Test(arguments: ["", "loud", "sound delay", "sound delay=x", "sound speed=3", "delay=312 sound"])
  func `another text is no declaration`(_ text: String) { #expect(StreamDeclaration(text) == nil) }
}

/// How a file is judged by its own headers and by a decode of its stream.
struct ExtractionJudgementTests {
  private static let corrupt = Problem(code: "corrupt", reason: "a frame", positionInSeconds: 1)

  private func judged(
    own: Problem? = nil, stream: Problem? = nil, codec: Codec = .flac, declared: Int64? = 8000, decoded: Int64 = 8000
  ) -> Extraction {
    var extraction = Extraction(
      state: own == nil ? .ok : .damaged, problem: own,
      format: MediaFormat(container: .flac, codec: codec, sampleRateInHz: 8000, declaredFrameCount: declared))
    extraction.judge(by: DecodedStream(problem: stream), frameCount: decoded)
    return extraction
  }

  @Test func `a file without a problem is intact, and one without a frame is empty`() {
    #expect(judged().state == .ok)
    #expect(judged(declared: nil, decoded: 0).state == .empty)
    #expect(judged(decoded: 0).problem?.code == "truncated")
  }

  @Test func `the file's own problem comes before that of the stream, and that before the length`() {
    let own = Problem(code: "malformed", reason: "chunks")
    #expect(judged(own: own, stream: Self.corrupt, decoded: 10).problem == own)
    #expect(judged(stream: Self.corrupt, decoded: 10).problem == Self.corrupt)
    #expect(judged(decoded: 10).problem?.reason == "truncated: 10 of 8000 frames")
    #expect(judged(decoded: 9000).problem?.code == "longer-than-header")
  }

  @Test func `half a frame where the stream was cut is part of its truncation`() {
    #expect(judged(stream: Self.corrupt, declared: 9000).problem?.code == "truncated")
    let unplaced = Problem(code: "corrupt", reason: "no frame")
    #expect(judged(stream: unplaced, decoded: 0).problem?.code == "truncated")
  }

  @Test func `a gap in the numbers of frames does not count if all the audio is there`() {
    let gap = Problem(code: Problem.missingFramesCode, reason: "a gap", positionInSeconds: 0.5)
    #expect(judged(stream: gap).state == .ok)
    #expect(judged(stream: gap, decoded: 7000).problem == gap)
    #expect(judged(stream: gap, declared: nil).problem == gap)
  }

  @Test func `lengths of codecs that are counted before they are decoded are not compared again`() {
    #expect(judged(codec: .vorbis, decoded: 10).state == .ok)
    #expect(judged(codec: .imaADPCM, decoded: 9000).state == .ok)
    #expect(judged(codec: .imaADPCM, decoded: 10).state == .damaged)
  }

  @Test(arguments: [FileState.unreadable, .timeout, .crashed, .unsupported, .oversize])
  func `a file that was not read to its end keeps its state`(_ state: FileState) {
    var extraction = Extraction(state: state, problem: Self.corrupt)
    extraction.judge(by: DecodedStream(), frameCount: 0)
    #expect(extraction.state == state)
    #expect(extraction.problem == Self.corrupt)
  }
}
