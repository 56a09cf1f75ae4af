import MediaModel
import Testing
import TestSupport

@testable import SoundIndex

struct SimilarityTests {
  private static func vector(_ random: inout RepeatableRandom, spread: Int = 127) -> SoundVector {
    SoundVector((0..<64).map { _ in Int8(Int.random(in: -spread...spread, using: &random)) })
  }

  private static func hash(_ number: Int) -> ContentHash { ContentHash(high: 7, low: UInt64(number)) }

  private static func matrix(_ count: Int, seed: UInt64 = 1) -> SimilarityMatrix {
    var random = RepeatableRandom(seed: seed)
    var matrix = SimilarityMatrix()
    for number in 0..<count { matrix.append(hash(number), vector(&random)) }
    return matrix
  }

  @Test(arguments: [1, 2, 10, 300])
  func `the nearest are those that a comparison one by one finds`(wanted: Int) {
    let matrix = Self.matrix(200)
    var random = RepeatableRandom(seed: 5)
    let query = Self.vector(&random)
    let expected = (0..<200).map { ($0, matrix.vector($0).distance(to: query)) }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(wanted)
    let found = matrix.nearest(to: query, count: wanted)
    #expect(found.map(\.index) == expected.map(\.0))
    #expect(zip(found, expected).allSatisfy { abs($0.distance - $1.1) < 1e-9 })
  }

  @Test func `the greatest differences do not overflow`() {
    var matrix = SimilarityMatrix()
    matrix.append(Self.hash(1), SoundVector(.init(repeating: -127, count: 64)))
    let found = matrix.nearest(to: SoundVector(.init(repeating: 127, count: 64)), count: 1)
    #expect(found.first?.distance == Double(254 * 8))
  }

  @Test func `of equal recordings the first comes first`() {
    var matrix = SimilarityMatrix()
    for number in 0..<20 {
      matrix.append(Self.hash(number), SoundVector(.init(repeating: Int8(number / 10), count: 64)))
    }
    let found = matrix.nearest(to: SoundVector(.init(repeating: 0, count: 64)), count: 12)
    #expect(found.map(\.index) == Array(0..<12))
  }

  @Test func `a point in the middle of everything is nobody's neighbour`() throws {
    // Points far out in pairs, and one at the origin, which is nearer to each of them than its partner.
    var random = RepeatableRandom(seed: 3)
    var matrix = SimilarityMatrix()
    for pair in 0..<200 {
      let one = Self.vector(&random, spread: 60)
      let other = SoundVector(one.coordinates.map { $0 &+ Int8(Int.random(in: -38...38, using: &random)) })
      matrix.append(Self.hash(2 * pair), one)
      matrix.append(Self.hash(2 * pair + 1), other)
    }
    matrix.append(Self.hash(1_000), SoundVector(.init(repeating: 0, count: 64)))
    let plain = (0..<400).count { index in
      matrix.nearest(to: matrix.vector(index), count: 3).contains { $0.index == 400 }
    }
    let tracks = SimilarTracks(matrix)
    let corrected = (0..<400).count { index in
      tracks.matches(to: matrix.vector(index), except: index, count: 2).contains { $0.index == 400 }
    }
    #expect(plain > 300 && corrected < plain)
    // The partner is the first.
    #expect(
      (0..<400).count { tracks.matches(to: matrix.vector($0), except: $0, count: 1).first?.index == $0 ^ 1 } > 390)
  }

  @Test func `likeness is between nothing and all, and falls`() {
    let likenesses = SimilarTracks(Self.matrix(300)).matches(to: Self.matrix(300).vector(7), except: 7).map(\.likeness)
    #expect(likenesses.count == 299 && likenesses.allSatisfy { (0...1).contains($0) })
    #expect(zip(likenesses, likenesses.dropFirst()).allSatisfy { $0 >= $1 })
  }

  // MARK: - The file

  private static let state = (0..<32).map { UInt8($0) }

  @Test func `the mean of some points is between them, and the mean of none is none`() {
    let (low, high) = (SoundVector(Array(repeating: -100, count: 64)), SoundVector(Array(repeating: 127, count: 64)))
    #expect(SoundVector(meanOf: [low, low, high])?.coordinates == Array(repeating: -24, count: 64))
    #expect(SoundVector(meanOf: [high])?.coordinates == high.coordinates)
    #expect(SoundVector(meanOf: []) == nil)
  }

  private static let mark = (100..<116).map { UInt8($0) }

  private func file(_ count: Int) -> [UInt8] {
    SimilarityFile.bytes(of: Self.matrix(count), version: 3, mark: Self.mark, state: Self.state)
  }

  /// What a file has for a library of another mark.
  private func matrix(in bytes: [UInt8], version: Int = 3, state: [UInt8] = state) -> SimilarityMatrix? {
    SimilarityFile.matrix(in: bytes, version: version, mark: Self.state.suffix(16), state: { state })?.matrix
  }

  @Test(arguments: [0, 1, 50])
  func `a file gives back what was written`(count: Int) throws {
    let read = try #require(matrix(in: file(count)))
    #expect(read.hashes == Self.matrix(count).hashes && read.coordinates == Self.matrix(count).coordinates)
  }

  @Test func `the state of the products is only asked for if the library has another mark`() throws {
    let found = try #require(
      SimilarityFile.matrix(in: file(9), version: 3, mark: Self.mark) {
        Issue.record("it was asked for")
        return Self.state
      })
    #expect(found.isMarked && found.matrix.count == 9)
    let later = Self.mark.reversed() as [UInt8]
    let other = try #require(SimilarityFile.matrix(in: file(9), version: 3, mark: later) { Self.state })
    #expect(!other.isMarked && other.matrix.coordinates == found.matrix.coordinates)
    let marked = SimilarityFile.bytes(file(9), markedWith: later)
    #expect(SimilarityFile.matrix(in: marked, version: 3, mark: later) { [] }?.isMarked == true)
  }

  @Test func `a file of another state or version, cut off or damaged is none`() {
    let bytes = file(9)
    #expect(matrix(in: bytes, version: 4) == nil)
    #expect(matrix(in: bytes, state: Self.state.reversed()) == nil)
    for count in [0, 5, 12, 30, 60, 72, bytes.count - 1] { #expect(matrix(in: Array(bytes.prefix(count))) == nil) }
    // A mark that is damaged is another one.
    for place in stride(from: 0, to: bytes.count, by: 7) where !(20..<36).contains(place) {
      var damaged = bytes
      damaged[place] ^= 0x10
      #expect(matrix(in: damaged) == nil, "\(place)")
    }
  }

  @Test func `the bytes are those of the document`() {
    var matrix = SimilarityMatrix()
    matrix.append(ContentHash(high: 0x0102_0304_0506_0708, low: 9), SoundVector(.init(repeating: -1, count: 64)))
    let bytes = SimilarityFile.bytes(of: matrix, version: 1, mark: Self.mark, state: Self.state)
    #expect(bytes.count == 72 + 64 + 16)
    #expect(Array(bytes[..<8]) == Array("DWSIMIL2".utf8))
    #expect(Array(bytes[8..<20]) == [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    #expect(Array(bytes[20..<36]) == Self.mark && Array(bytes[36..<68]) == Self.state)
    #expect(Array(bytes[72..<74]) == [255, 255] && Array(bytes[136..<139]) == [1, 2, 3])
  }

  // MARK: - Playlists and the map

  private struct Nothing: Error {}

  @Test(arguments: [2, 3, 20])
  func `a playlist leads from one to the other, and has nothing twice`(count: Int) throws {
    let matrix = Self.matrix(100)
    let places = FlowingPlaylist(matrix).places(from: 3, to: 60, count: count) {
      $0 != 50
    } takes: { _ in
      true
    } track: { _ in
      .init()
    }
    #expect(places.count == count && places.first == 3 && places.last == 60)
    #expect(Set(places).count == count && !places.contains(50))
  }

  @Test func `without an end it goes on, as long as there is something`() {
    let places = FlowingPlaylist(Self.matrix(5)).places(from: 0, to: nil, count: 20) { _ in
      true
    } takes: { _ in
      true
    } track: { _ in
      .init()
    }
    #expect(places.count == 5 && places.first == 0)
  }

  @Test func `a song comes once, whatever recordings of it there are`() {
    let songs = ["a", "b", "a", nil, "c", "b", "c"]
    let places = FlowingPlaylist(Self.matrix(songs.count)).places(from: 0, to: 4, count: 20) { _ in
      true
    } takes: { _ in
      true
    } track: {
      .init(song: songs[$0])
    }
    #expect(places.first == 0 && places.last == 4 && places.count == 4)
    #expect(places.compactMap { songs[$0] }.sorted() == ["a", "b", "c"] && places.contains(3))
  }

  @Test func `what is not taken does not come, and the next best does`() {
    let kinds = [0, 1, 0, 2, 1, 3, 2, 3]
    var taken: Set = [0, 3]
    let places = FlowingPlaylist(Self.matrix(kinds.count)).places(from: 0, to: 7, count: 20) { _ in
      true
    } takes: {
      taken.insert(kinds[$0]).inserted
    } track: { _ in
      .init()
    }
    #expect(places.first == 0 && places.last == 7 && places.map { kinds[$0] }.sorted() == [0, 1, 2, 3])
  }

  @Test func `tempo and key decide between sounds that are equally near`() {
    var matrix = SimilarityMatrix()
    for number in 0..<6 { matrix.append(Self.hash(number), SoundVector(.init(repeating: 0, count: 64))) }
    let tracks: [FlowingPlaylist.Track] = [
      .init(beatsPerMinute: 120, key: MusicalKey("8A")), .init(beatsPerMinute: 90, key: MusicalKey("2A")),
      .init(beatsPerMinute: 61, key: MusicalKey("9A")), .init(beatsPerMinute: 139, key: MusicalKey("8A")),
      .init(beatsPerMinute: 120, key: MusicalKey("2A")), .init(beatsPerMinute: 100, key: MusicalKey("5A")),
    ]
    let places = FlowingPlaylist(matrix).places(from: 0, to: nil, count: 2) { _ in
      true
    } takes: { _ in
      true
    } track: {
      tracks[$0]
    }
    #expect(places == [0, 2])
  }

  @Test func `the map puts groups that sound differently apart`() {
    var random = RepeatableRandom(seed: 8)
    var matrix = SimilarityMatrix()
    for number in 0..<100 {
      let shift: Int8 = number < 50 ? 60 : -60
      matrix.append(
        Self.hash(number), SoundVector(Self.vector(&random, spread: 20).coordinates.map { $0 &+ shift }))
    }
    let points = SoundMap(matrix).points
    #expect(points.count == 100 && points.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) })
    let (left, right) = (points.prefix(50).map(\.x), points.suffix(50).map(\.x))
    #expect(left.max()! < right.min()! || right.max()! < left.min()!)
    #expect(SoundMap(SimilarityMatrix()).points.isEmpty)
  }

  // MARK: - The projection

  @Test func `the projection of the program is whole, and uses the range of its coordinates`() {
    #expect(SoundProjection.current.version == 1)
    let middle = SoundProjection.current.vector(of: SimilarityStatistics(.init(repeating: 0, count: 378)))
    var random = RepeatableRandom(seed: 2)
    let other = SoundProjection.current.vector(
      of: SimilarityStatistics((0..<378).map { _ in Float.random(in: -9...9, using: &random) }))
    #expect(middle.distance(to: other) > 10)
  }

  @Test func `a projection with other numbers is refused`() {
    for bytes in [[], [1, 0, 0, 0], [1, 0, 0, 0, 9, 0, 64, 0], [1, 0, 0, 0, 0x7A, 1, 64, 0, 0, 0]] as [[UInt8]] {
      #expect(throws: (any Error).self) { try SoundProjection(bytes: bytes) }
    }
  }
}
