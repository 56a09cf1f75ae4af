internal import Foundation
internal import GRDB
internal import MediaModel

extension FieldValue {
  init(_ value: DatabaseValue, kind: QueryField.Kind) {
    switch (value.storage, kind) {
    case (.null, _): self = .none
    case (.blob(let data), _): self = .path(BytePath(data))
    case (.string(let text), _): self = .text(text)
    case (.int64(let number), .instant): self = .instant(number)
    case (.double(let number), .instant): self = Int64(exactly: number.rounded(.down)).map { .instant($0) } ?? .none
    case (.int64(let number), .real), (.int64(let number), .duration): self = .real(Double(number))
    case (.int64(let number), _): self = .integer(number)
    case (.double(let number), _): self = .real(number)
    }
  }
}
