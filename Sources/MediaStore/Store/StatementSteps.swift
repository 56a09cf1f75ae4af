internal import LibraryDatabase
internal import GRDBSQLite

/// How much SQLite worked, in instructions of its virtual machine: a measure that does not depend on the machine.
///
/// A row that is visited costs some ten instructions. Statements of fewer than ten may not count.
package struct StatementSteps: Hashable, Sendable {
  package var total = 0
  /// While the right to write was held, by the transaction that did most.
  package var largestTransaction = 0
  /// The number of transactions that wrote.
  package var transactionCount = 0
}

extension MediaStore {
  /// What `body` makes SQLite do on this connection, for tests.
  package func steps(of body: () throws -> Void) throws -> StatementSteps {
    let counter = connection.writeWithoutTransaction { db in
      let counter = StepCounter(of: db)
      db.add(transactionObserver: counter, extent: .observerLifetime)
      sqlite3_progress_handler(
        db.sqliteConnection, Int32(StepCounter.interval),
        { counter in
          if let counter { Unmanaged<StepCounter>.fromOpaque(counter).takeUnretainedValue().count() }
          return 0
        }, Unmanaged.passUnretained(counter).toOpaque())
      return counter
    }
    defer {
      connection.writeWithoutTransaction { db in
        sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil)
        db.remove(transactionObserver: counter)
      }
    }
    try body()
    return counter.steps
  }
}

private final class StepCounter: TransactionObserver {
  static let interval = 10

  private(set) var steps = StatementSteps()
  private let connection: SQLiteConnection?
  private var ownOfTransaction = 0

  init(of db: Database) { connection = db.sqliteConnection }

  func count() {
    steps.total += Self.interval
    if sqlite3_txn_state(connection, nil) == SQLITE_TXN_WRITE { ownOfTransaction += Self.interval }
  }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseDidCommit(_ db: Database) {
    steps.largestTransaction = max(steps.largestTransaction, ownOfTransaction)
    steps.transactionCount += 1
    ownOfTransaction = 0
  }

  func databaseDidRollback(_ db: Database) { ownOfTransaction = 0 }
}
