internal import MediaModel

/// The links between the nodes of a filter chain.
struct PipeWireGraph {
  /// For each input of the graph the names of the nodes that its signal goes through; empty where the graph names no inputs.
  let chains: [Set<String>]

  init(_ graph: JSONValue) {
    // A port is `node:port`.
    func node(_ value: JSONValue?) -> String? { value?.string.map { String($0.prefix { $0 != ":" }) } }
    var following: [String: [String]] = [:]
    for link in graph["links"]?.array ?? [] {
      guard let from = node(link["output"]), let to = node(link["input"]) else { continue }
      following[from, default: []].append(to)
    }
    chains = (graph["inputs"]?.array ?? []).prefix(64).map { input in
      var visited: Set<String> = []
      var waiting = node(input).map { [$0] } ?? []
      while let next = waiting.popLast() {
        if visited.insert(next).inserted { waiting += following[next] ?? [] }
      }
      return visited
    }
  }
}
