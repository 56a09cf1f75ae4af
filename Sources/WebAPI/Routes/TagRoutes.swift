internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

/// Tags of many files, and corrections of them in the library, as `deadwax tags` makes them. No file is written.
struct TagRoutes {
  let library: LibraryAccess
  let results: ResultLists

  var routes: [Route] {
    [
      Route(
        .get, "/tags", "Common and differing tags of the files that match a query.",
        [PageParameters.query], work: .searching,
        { try summary(of: .query(try $0[PageParameters.query])) }),
      Route(
        .post, "/tags/read", "The same for files given by their ids, or for rows of a result.", needs: .reading,
        { try summary(of: try selection(in: try $0.document())) }),
      Route(.post, "/tags", "Corrects tags in the library; no file is written.", correct),
    ]
  }

  // MARK: - What is there

  /// Lists of a field in an answer, and values of a list.
  private let largestListCount = 50
  private let largestValueCount = 50
  /// Texts of a field in an answer.
  private let largestFieldByteCount = 128 << 10
  private let largestFieldCount = 500

  private func selection(in body: JSONValue) throws -> FileSelection {
    guard body["rows"] != nil else { return try FileSelection(body) }
    let rows = try RowSelection(body)
    return .files(try library.reading { try rows.fileIDs(limit: FileSelection.largestCount, results, in: $0) })
  }

  private func summary(of selection: FileSelection) throws -> Reply {
    let (ids, summary, revision) = try library.reading { store in
      let ids = try selection.ids(in: store)
      return (ids, try store.corrections.summary(ofFiles: ids), try store.revision())
    }
    let fields = Array(summary.fields.prefix(largestFieldCount))
    return try Reply(
      [
        "revision": .string(revision), "files": .integer(summary.fileCount),
        "unknown_files": .integer(summary.unknownFileCount), "ids": .array(ids.map { .integer($0) }),
      ], "fields", JSONRows(fields) { field($0) })
  }

  private func field(_ field: TagSummary.Field) -> JSONValue {
    .object([
      "name": .string(field.field.queryName), "kind": .string(Self.name(of: field.field.kind)),
      "scope": .string(field.field.scope.rawValue), "value_count": .integer(field.values.count),
      "active": .integer(field.counts[.active] ?? 0), "satisfied": .integer(field.counts[.satisfied] ?? 0),
      "conflicts": .integer(field.counts[.conflict] ?? 0), "values": lists(field.values),
      "file_values": lists(field.fileValues),
    ])
  }

  private static func name(of kind: CorrectionField.Kind) -> String {
    switch kind {
    case .text: "text"
    case .number: "number"
    case .date: "date"
    case .tempo: "tempo"
    case .key: "key"
    case .flag: "flag"
    }
  }

  private func lists(_ lists: [TagSummary.Values]) -> JSONValue {
    var byteCount = 0
    var items: [JSONValue] = []
    for list in lists.prefix(largestListCount) where byteCount < largestFieldByteCount {
      let texts = list.values.prefix(largestValueCount).map(RowText.cut)
      byteCount += texts.reduce(0) { $0 + $1.utf8.count }
      items.append(
        .object([
          "values": .array(texts.map { .string($0) }), "files": .integer(list.fileCount),
          "cut": .bool(texts != list.values),
        ]))
    }
    return .array(items)
  }

  // MARK: - Corrections

  private func correct(_ call: Call) throws -> Reply {
    let body = try call.document()
    let selection = try FileSelection(body)
    let isDryRun = try Self.flag("dry_run", body)
    do {
      // A dry run may have to do it and take it back, to know what follows from it.
      let report = try library.writing { store in
        let actions = try Self.actions(body, in: store)
        return try store.corrections.apply(actions, toFiles: selection.ids(in: store), isDryRun: isDryRun)
      }
      return Reply(
        .object([
          "dry_run": .bool(isDryRun), "files": .integer(report.fileCount),
          "changed_files": .integer(report.changedFileCount), "changed_copies": .integer(report.copyCount),
          "corrections": .integer(report.correctionCount),
          "unknown_files": .integer(report.unknownFileCount), "moved_decisions": .integer(report.movedDecisionCount),
        ]))
    } catch let error as CorrectionFieldError {
      throw HTTPProblem(422, error.description)
    } catch let error as CorrectionField.InvalidValue {
      throw HTTPProblem(422, error.description)
    }
  }

  private static func flag(_ name: String, _ body: JSONValue) throws(HTTPProblem) -> Bool {
    guard let value = body[name] else { return false }
    guard let flag = value.bool else { throw HTTPProblem(422, "\(name) is true or false") }
    return flag
  }

  /// What is to be done, each field once.
  private static func actions(_ body: JSONValue, in store: MediaStore) throws -> [Corrections.Action] {
    let allowsNew = try flag("new", body)
    var actions: [Corrections.Action] = []
    for (key, value) in (body.members ?? []).map({ ($0.key, $0.value) }) {
      switch key {
      case "q", "files", "dry_run", "new": continue
      case "set": actions.append(.edit(.set(try settings(value, key, in: store, allowsNew: allowsNew))))
      case "add": actions.append(.edit(.add(try settings(value, key, in: store, allowsNew: allowsNew))))
      case "remove": actions.append(.edit(.remove(try settings(value, key, in: store, allowsNew: false))))
      case "revert": actions.append(.revert(value == .bool(true) ? nil : try fields(value, key, in: store)))
      case "resolve":
        for choice in CorrectionChoice.allCases {
          guard let names = value[choice.rawValue] else { continue }
          actions.append(.resolve(choice, names == .bool(true) ? nil : try fields(names, key, in: store)))
        }
        guard value.members?.allSatisfy({ CorrectionChoice(rawValue: $0.key) != nil }) == true else {
          throw HTTPProblem(422, "resolve has lists of fields as mine and files, or true for all")
        }
      default: throw HTTPProblem(422, "there is no \(key.cut(toByteCount: 40)) here: set, add, remove, revert, resolve")
      }
    }
    guard !actions.isEmpty else { throw HTTPProblem(422, "one of set, add, remove, revert and resolve is missing") }
    var known: Set<CorrectionField> = []
    for action in actions {
      guard let fields = action.fields else {
        guard actions.count == 1 else { throw HTTPProblem(422, "an edit of all fields cannot be combined with others") }
        continue
      }
      if let twice = fields.first(where: { !known.insert($0).inserted }) {
        throw HTTPProblem(422, "\(twice) occurs twice")
      }
    }
    return actions
  }

  /// `{"genre": ["Jazz"]}`; no values clear a field that is set.
  private static func settings(
    _ value: JSONValue, _ key: String, in store: MediaStore, allowsNew: Bool
  ) throws -> [CorrectionEdit.Setting] {
    guard let members = value.members, !members.isEmpty else {
      throw HTTPProblem(422, "\(key) has lists of values by the names of fields")
    }
    return try members.map { member in
      let (name, value) = (member.key, member.value)
      guard let texts = value.array?.compactMap(\.string), texts.count == value.array?.count else {
        throw HTTPProblem(422, "\(key): the values of \(name.cut(toByteCount: 100)) are a list of texts")
      }
      guard !texts.isEmpty || key == "set" else {
        throw HTTPProblem(422, "\(key): \(name.cut(toByteCount: 100)) has no value")
      }
      let field = try store.corrections.field(named: name, allowsNew: allowsNew)
      // What is removed need not be a valid value.
      let values = try texts.reduce(into: [String]()) { values, text in
        let composed = CorrectionValue.composed(text)
        let value = key == "remove" ? composed : try field.value(composed)
        if !values.contains(value) { values.append(value) }
      }
      if field.kind.isSingle, values.count > 1 || key == "add" {
        throw HTTPProblem(422, "\(field) has one value; set sets it")
      }
      return CorrectionEdit.Setting(field: field, values: values)
    }
  }

  private static func fields(_ value: JSONValue, _ key: String, in store: MediaStore) throws -> [CorrectionField] {
    guard let names = value.array?.compactMap(\.string), names.count == value.array?.count, !names.isEmpty else {
      throw HTTPProblem(422, "\(key): fields are given as a list of names, or true for all")
    }
    return try names.map { try store.corrections.field(named: $0) }
  }
}
