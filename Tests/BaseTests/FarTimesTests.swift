import Base
import Glibc
import Testing

// Faults: 160
/// Times that nanoseconds since 1970 cannot hold in 64 bits.
struct FarTimesTests {
  private static let seconds: [Int] = [
    .min, .min + 1, -9_223_372_037, -9_223_372_036, -62_135_596_800, -2, -1, 0, 1, 9_223_372_036, 9_223_372_037,
    253_402_300_800, .max - 1, .max,
  ]

  private static func status(_ seconds: Int, _ nanoseconds: Int) -> FileStatus {
    var information = stat()
    information.st_mtim = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    information.st_ctim = information.st_mtim
    return FileStatus(information)
  }

  @Test(arguments: seconds, [0, 1, 999_999_999])
  func `a file may have any time, and another time is another status`(_ seconds: Int, _ nanoseconds: Int) {
    let status = Self.status(seconds, nanoseconds)
    #expect(status.modificationTimeInNanoseconds == status.changeTimeInNanoseconds)
    #expect(status == Self.status(seconds, nanoseconds))
    #expect(status.stamp != Self.status(seconds &+ 1, nanoseconds).stamp)
    #expect(status.stamp != Self.status(seconds, nanoseconds == 0 ? 1 : 0).stamp)
  }

  @Test(arguments: seconds) func `the difference of near times is exact, wherever they are`(_ seconds: Int) {
    let earlier = FileStatus.nanoseconds(timespec(tv_sec: seconds, tv_nsec: 999_999_999))
    let later = FileStatus.nanoseconds(timespec(tv_sec: seconds &+ 2, tv_nsec: 1))
    // From the greatest number of seconds to the least is no short time; modulo 2^64 it is one.
    #expect(later &- earlier == 1_000_000_002)
  }

  @Test(arguments: [
    (-1, 5, -999_999_995), (0, 5, 5), (-1, 0, -1_000_000_000), (1_700_000_000, 7, 1_700_000_000_000_000_007),
  ])
  func `times that fit are nanoseconds since 1970`(_ seconds: Int, _ nanoseconds: Int, _ expected: Int64) {
    #expect(FileStatus.nanoseconds(timespec(tv_sec: seconds, tv_nsec: nanoseconds)) == expected)
  }

  @Test(arguments: [
    (Int64.min, "\(Int64.min)"), (.max, "\(Int64.max)"), (-1, "1969-12-31T23:59:59Z"),
    (9_223_372_037, "2262-04-11T23:47:17Z"), (-62_135_596_800, "-62135596800"),
    (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, "253402300800"),
  ])
  func `every time has a text`(_ seconds: Int64, _ text: String) {
    #expect(Timestamp(secondsSince1970: seconds).description == text)
  }
}
