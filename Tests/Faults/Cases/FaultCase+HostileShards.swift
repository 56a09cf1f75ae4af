import Foundation
import TestSupport

extension FaultCase {
  /// Shards that turned into something else after a catalogue was made of them.
  static var hostileShards: [FaultCase] {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT kept.* FROM kept, n"
    let sql = [
      "CREATE VIEW other AS SELECT * FROM audio",
      "CREATE TRIGGER other AFTER INSERT ON audio BEGIN DELETE FROM audio; END",
      "ALTER TABLE product_blob RENAME TO kept; CREATE VIEW product_blob AS \(endless)",
      "ALTER TABLE audio ADD COLUMN other BLOB GENERATED ALWAYS AS (zeroblob(100000000)) VIRTUAL",
      "UPDATE product_blob SET bytes = substr(bytes, 1, 3)", "UPDATE product_blob SET bytes = zeroblob(length(bytes))",
      "PRAGMA user_version = 99", "PRAGMA user_version = -1",
    ]
    let shell = [
      "rm $0; mkfifo $0", "rm $0; mkdir $0", "rm $0; ln -s /dev/zero $0", "rm $0; ln -s $0 $0",
      "rm $0; truncate -s 10G $0", "truncate -s 10G $0", "truncate -s 20000 $0", "truncate -s 0 $0",
    ]
    let changes = sql.map { (what: $0, words: ["sqlite3", $0]) } + shell.map { (what: $0, words: ["sh", $0]) }
    return [
      FaultCase(204, named: "shards with hostile content, or of another kind") { trial in
        try NotRun.unless(has: "sqlite3", "timeout", "prlimit")
        let stage = try await Stage.shared.value
        for (what, words) in changes {
          let shard = try stage.copy()
          let catalogue = try DeadwaxCommand()
          try await catalogue.must([
            "merge", shard.library.path, "--without-products", "waveform", "spectrum", "fingerprint",
          ])
          if words[0] == "sqlite3" {
            try Tool.run("sqlite3", shard.library.path, words[1])
          } else {
            try Tool.run("sh", "-c", words[1], shard.library.path)
          }
          let users = try await UserDump(catalogue)
          for arguments in [
            ["shards"], ["show", "filename:clean"], ["export", "--what", "fingerprints"], ["doctor", "--deep"],
            ["waveform", "filename:clean", "--format", "json", "-o", "-"], ["shards", "add", shard.library.path],
            ["merge", "--no-backup", shard.library.path],
          ] {
            let outcome = try await catalogue.run(
              through: ["timeout", "-k", "5", "60", "prlimit", "--as=4294967296"], arguments)
            trial.countAttempt()
            trial.expect([0, 1, 4, 5].contains(outcome.status), "\(what), \(arguments): \(outcome)")
          }
          trial.expect(try await UserDump(catalogue) == users || words[0] == "sh", "\(what): decisions have changed")
          trial.expect(try await catalogue.run(["doctor"]).errorText.contains("Fatal") == false, "\(what): a trap")
        }
      }
    ]
  }
}
