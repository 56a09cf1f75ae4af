import Base
import Foundation
import MediaModel
import Testing
import TestSupport

@testable import SoundIndex

struct DuplicateSearchTests {
  private let temporary: TemporaryFolder
  private let folder: BytePath

  init() throws {
    temporary = try TemporaryFolder()
    folder = BytePath(temporary.appending("music.sound").path)
  }

  private func recording(_ number: UInt64, _ landmarks: Landmarks) -> NewRecording {
    let bytes = landmarks.blob
    return NewRecording(hash: SyntheticSound.hash(number), landmarkBytes: bytes, checksum: CRC32.checksum(bytes))
  }

  /// The relations of ten other recordings and these.
  private func relations(_ recordings: [Landmarks]) throws -> [SoundRelation] {
    let own = recordings.enumerated().map { recording(UInt64($0 + 1), $1) }
    try SyntheticSound.update(folder, own + (100..<110).map { SyntheticSound.recording($0, seconds: 120) })
    let found = try DuplicateSearch(SoundIndex.open(at: folder)).relations()
    // Two that are compared alone have no fewer keys in common.
    let signatures = recordings.enumerated().map { CopySignature($1, of: SyntheticSound.hash(UInt64($0 + 1))) }
    for (index, first) in signatures.enumerated() {
      for second in signatures[(index + 1)...] {
        let known = found.first { Set([$0.first, $0.second]) == Set([first.hash, second.hash]) }
        if let known { #expect(SoundRelation.between(first, second)?.kind == known.kind) }
      }
    }
    return found
  }

  /// A copy in which a share of the peaks is lost, and as many others came.
  private func copy(_ landmarks: Landmarks, keeping share: Double) -> Landmarks {
    var random = RepeatableRandom(seed: 77)
    var copy = landmarks
    copy.peaks = landmarks.peaks.filter { _ in Double.random(in: 0..<1, using: &random) < share }
    for _ in 0..<landmarks.peaks.count - copy.peaks.count {
      copy.peaks.append(
        Landmarks.Peak(
          column: Int32.random(in: 0..<copy.columnCount, using: &random),
          unit: UInt8.random(in: 0..<172, using: &random),
          strength: UInt8.random(in: 1...12, using: &random)))
    }
    copy.peaks.sort { ($0.column, $0.unit) < ($1.column, $1.unit) }
    return copy
  }

  private func delayed(_ landmarks: Landmarks, by columns: Int32) -> Landmarks {
    var moved = landmarks
    moved.columnCount += columns
    for index in moved.peaks.indices { moved.peaks[index].column += columns }
    return moved
  }

  @Test(arguments: [1.0, 0.85, 0.7])
  func `a copy with some other peaks is the same recording`(share: Double) throws {
    let original = SyntheticSound.landmarks(seed: 1, seconds: 120)
    let found = try relations([original, copy(original, keeping: share)])
    #expect(found.map(\.kind) == [.sameRecording])
    #expect(found.first?.alignment.offset == 0)
  }

  /// Of so short a recording, the keys that are enough for a long one are hardly found again.
  @Test(arguments: [8.0, 12, 20, 40], UInt64(1)...3)
  func `a copy of a short recording is found, too`(seconds: Double, seed: UInt64) throws {
    let original = SyntheticSound.landmarks(seed: seed, seconds: seconds)
    let found = try relations([original, copy(original, keeping: 0.7)])
    #expect(found.map(\.kind) == [.sameRecording] && found.first?.alignment.offset == 0)
  }

  @Test(arguments: [8.0, 15, 30], UInt64(1)...3)
  func `a clip of seconds is contained in a long recording`(seconds: Double, seed: UInt64) throws {
    let original = SyntheticSound.landmarks(seed: seed, seconds: 240)
    let clip = original.part(4_000..<4_000 + Int32(seconds * Landmarks.columnsPerSecond))
    let found = try relations([copy(clip, keeping: 0.7), original])
    #expect(found.map(\.kind) == [.contained] && found.first?.alignment.offset == -4_000)
  }

  @Test func `two thirds of some seconds are a part, not the same`() throws {
    let original = SyntheticSound.landmarks(seed: 1, seconds: 12)
    #expect(try relations([original, original.part(0..<345)]).map(\.kind) == [.contained])
  }

  @Test func `silence at the start does not make it another recording`() throws {
    let original = SyntheticSound.landmarks(seed: 1, seconds: 120)
    let found = try relations([original, delayed(copy(original, keeping: 0.9), by: 86)])
    #expect(found.map(\.kind) == [.sameRecording])
    #expect(found.first?.alignment.offset == -86)
  }

  @Test func `a part is contained in the whole`() throws {
    let original = SyntheticSound.landmarks(seed: 1, seconds: 120)
    let found = try relations([original, original.part(1_000..<3_000)])
    #expect(found.map(\.kind) == [.contained])
    #expect(found.first?.alignment.offset == 1_000)
  }

  @Test func `music that agrees in only a third of its peaks is another master`() throws {
    let original = SyntheticSound.landmarks(seed: 1, seconds: 240)
    let alignment = SoundAlignment(original, copy(original, keeping: 0.33), near: 0)
    let relation = SoundRelation((SyntheticSound.hash(1), original), (SyntheticSound.hash(2), original), alignment)
    #expect(relation?.kind == .otherMaster)
  }

  @Test func `recordings with one part in common share a sample`() throws {
    let sample = SyntheticSound.landmarks(seed: 5, seconds: 25)
    var first = SyntheticSound.landmarks(seed: 1, seconds: 120)
    var second = SyntheticSound.landmarks(seed: 2, seconds: 150)
    func insert(_ landmarks: inout Landmarks, at column: Int32) {
      landmarks.peaks.removeAll { (column..<column + sample.columnCount).contains($0.column) }
      landmarks.peaks += delayed(sample, by: column).peaks
      landmarks.peaks.sort { ($0.column, $0.unit) < ($1.column, $1.unit) }
    }
    insert(&first, at: 1_000)
    insert(&second, at: 3_000)
    let found = try relations([first, second])
    #expect(found.map(\.kind) == [.sharesSample])
    #expect(found.first?.alignment.offset == -2_000)
    #expect((found.first?.alignment.same.count).map { (800...1_400).contains($0) } == true)
  }

  /// Without the peaks in some ranges of seconds, as if it were silent there.
  private func holed(_ landmarks: Landmarks, _ isHole: (Double) -> Bool) -> Landmarks {
    var holed = landmarks
    holed.peaks.removeAll { isHole(Double($0.column) / Landmarks.columnsPerSecond) }
    return holed
  }

  @Test func `what is silent every second six seconds is a part of the other, whichever comes first`() throws {
    let original = SyntheticSound.landmarks(seed: 1, seconds: 120)
    let holes = holed(original) { Int($0 / 6) % 2 == 1 }
    for pair in [[original, holes], [holes, original]] {
      #expect(try relations(pair).map(\.kind) == [.contained])
    }
  }

  @Test func `silence in the place of the last quarter is a part, a moment of it is not`() throws {
    let original = SyntheticSound.landmarks(seed: 1, seconds: 120)
    #expect(try relations([holed(original) { $0 > 90 }, original]).map(\.kind) == [.contained])
    #expect(try relations([holed(original) { (50..<54).contains($0) }, original]).map(\.kind) == [.sameRecording])
  }

  @Test func `coverage is that of all that is heard in each, also beyond the other's ends`() {
    let original = SyntheticSound.landmarks(seed: 1, seconds: 120)
    let part = original.part(1_075..<3_225)
    let alignment = SoundAlignment(original, part, near: 1_075)
    #expect(alignment.coverage == 1 && alignment.coverageOfSecond == 1)
    #expect((0.38...0.45).contains(alignment.coverageOfFirst))
    let holes = SoundAlignment(original, holed(original) { $0 > 60 }, near: 0)
    #expect((0.45...0.55).contains(holes.coverageOfFirst) && holes.coverageOfSecond > 0.95)
    #expect(abs(holes.coverage - holes.coverageOfFirst) < 0.01)
  }

  @Test func `two that have nothing in common are no copies of each other`() {
    let signatures = (1...6).map {
      CopySignature(SyntheticSound.landmarks(seed: UInt64($0), seconds: 120), of: SyntheticSound.hash(UInt64($0)))
    }
    for first in signatures {
      for second in signatures where second.hash != first.hash { #expect(SoundRelation.between(first, second) == nil) }
      #expect(SoundRelation.between(first, first)?.kind == .sameRecording)
    }
  }

  @Test func `recordings that have nothing in common are not related`() throws {
    #expect(try relations((1...20).map { SyntheticSound.landmarks(seed: $0, seconds: 60) }).isEmpty)
  }

  @Test func `all copies of one recording are related to each other`() throws {
    let original = SyntheticSound.landmarks(seed: 1, seconds: 120)
    let found = try relations([original, copy(original, keeping: 0.9), copy(original, keeping: 0.8)])
    #expect(found.count == 3 && found.allSatisfy { $0.kind == .sameRecording })
  }

  @Test func `keys do not depend on where a recording begins`() {
    let original = SyntheticSound.landmarks(seed: 1, seconds: 120)
    let chosen = { (landmarks: Landmarks) in CopyKey.chosen(from: CopyKey.all(of: landmarks)) }
    let whole = Set(chosen(original).filter { (2_300..<4_600).contains($0.column) }.map(\.value))
    let part = Set(chosen(original.part(2_000..<5_000)).map(\.value))
    #expect(whole.count > 10 && whole.isSubset(of: part))
  }
}
