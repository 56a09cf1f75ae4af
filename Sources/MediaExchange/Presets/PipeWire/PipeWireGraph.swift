internal import Base

/// Which nodes of a filter chain sound passes through, by their number in the list of nodes.
struct PipeWireGraph {
  /// For each input that the graph names, the nodes that its signal passes through; empty if it names none.
  let chains: [Set<Int>]
  /// Whether the nodes are linked, or there is only one, or each has an input of the graph.
  let isConnected: Bool

  private let heard: Set<Int>
  private let ports: [Int: [String]]

  /// As in PipeWire, a graph without a list of inputs begins at its first node, and one without a list of outputs ends at
  /// its last.
  init(_ graph: JSONValue) {
    let nodes = graph["nodes"]?.array ?? []
    var numbers: [String: Int] = [:]
    for (index, node) in nodes.enumerated() { if let name = node["name"]?.string { numbers[name] = index } }
    // A port is `node:port`.
    func node(_ port: JSONValue?) -> Int? { port?.string.flatMap { numbers[String($0.prefix { $0 != ":" })] } }
    func ends(_ key: String) -> [Int]? { graph[key]?.array.map { $0.prefix(64).compactMap(node) } }
    var links: [(from: Int, port: String, to: Int)] = []
    for link in graph["links"]?.array ?? [] {
      guard let from = node(link["output"]), let to = node(link["input"]) else { continue }
      links.append((from, link["input"]?.string ?? "", to))
    }
    let inputs = ends("inputs")
    let forward = Dictionary(grouping: links, by: \.from).mapValues { $0.map(\.to) }
    let backward = Dictionary(grouping: links, by: \.to).mapValues { $0.map(\.from) }
    chains = (inputs ?? []).map { Self.reached(from: [$0], along: forward) }
    isConnected = !links.isEmpty || nodes.count < 2 || inputs?.isEmpty == false
    let reached = Self.reached(from: inputs ?? Array(nodes.indices.prefix(1)), along: forward)
    let leading = Self.reached(from: ends("outputs") ?? Array(nodes.indices.suffix(1)), along: backward)
    heard = links.isEmpty ? inputs?.isEmpty ?? true ? Set(nodes.indices) : reached : reached.intersection(leading)
    ports = Dictionary(grouping: links, by: \.to).mapValues { $0.map(\.port) }
  }

  /// Whether sound passes through a node. All nodes of a graph that is not connected count.
  func isHeard(_ node: Int) -> Bool { heard.contains(node) }

  /// The ports of a node that others are linked to, in the order of the links.
  func inputs(of node: Int) -> [String] { ports[node] ?? [] }

  private static func reached(from starts: [Int], along edges: [Int: [Int]]) -> Set<Int> {
    var visited: Set<Int> = []
    var waiting = starts
    while let next = waiting.popLast() {
      if visited.insert(next).inserted { waiting += edges[next] ?? [] }
    }
    return visited
  }
}
