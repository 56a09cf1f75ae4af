internal import Foundation
internal import TestSupport

extension FaultCase {
  /// What commands write is recorded, and the power fails after each write of it.
  static let powerLoss = FaultCase(89, named: "the power fails after each write") { trial in
    try Injection.requireTracer()
    let stage = try await Stage.shared.value
    let deadwax = try stage.copy()
    var image = DiskImage(library: [UInt8](try Data(contentsOf: deadwax.library)))
    var random = RepeatableRandom(seed: 89)
    var acknowledged = -2.0
    for number in 0..<trial.count(20) {
      // Between the decisions of the user something else is written, too, which need not be there afterwards.
      let gain = number % 5 == 4 ? acknowledged : -Double(number) / 10
      let arguments =
        number % 5 == 4 ? ["reanalyze", "--force", "--restart"] : ["preset", "edit", "mine", "--gain", "\(gain)"]
      let log = deadwax.home.appending("strace.log")
      let outcome = try await deadwax.run(
        executable: URL(filePath: "/usr/bin/strace"),
        DiskEvent.tracing + ["-o", log.path, DeadwaxCommand.executable.path] + arguments)
      guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
      for event in try DiskEvent.events(in: log) {
        image.apply(event)
        for survival in DiskImage.Survival.allCases {
          try await check(image, survival, [acknowledged, gain], trial, &random)
        }
      }
      acknowledged = gain
      for survival in DiskImage.Survival.allCases { try await check(image, survival, [gain], trial, &random) }
    }
  }

  private static func check(
    _ image: DiskImage, _ survival: DiskImage.Survival, _ gains: Set<Double>, _ trial: Trial,
    _ random: inout RepeatableRandom
  ) async throws {
    let after = try DeadwaxCommand()
    try image.write(to: after.home.url, survival, random: &random)
    trial.countAttempt()
    let shown = try await after.run(["preset", "show", "mine", "--json"])
    let gain = try? shown.document(ShownPreset.self).gain_db
    trial.expect(gain.map(gains.contains) == true, "\(survival) of what was not synced: \(shown), not one of \(gains)")
    let check = try await after.run(
      executable: URL(filePath: "/usr/bin/sqlite3"),
      [after.library.path, "PRAGMA integrity_check; PRAGMA foreign_key_check"])
    trial.expect(check.text == "ok\n", "\(survival) of what was not synced: \(check)")
  }

  private struct ShownPreset: Decodable {
    var gain_db: Double
  }
}
