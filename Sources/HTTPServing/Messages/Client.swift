internal import Glibc

/// Where requests come from, as far as limits count them: an address of IPv4, a network of IPv6, or this computer.
///
/// A computer with IPv6 has any number of addresses in its network of 64 bits, and a local program any in 127.0.0.0/8.
package enum NetworkAddress: Hashable, Sendable {
  case loopback
  case ipv4(UInt32)
  /// The first 64 bits of the address.
  case ipv6(UInt64)
  /// A socket without an address.
  case unknown

  /// - Parameter text: As the kernel gives it: `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`, `::ffff:192.0.2.1`.
  package init(_ text: String?) {
    let host = text.map { String($0.prefix { $0 != "%" }) } ?? ""
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, host, &four) == 1 {
      self = Self.ipv4Network(UInt32(bigEndian: four.s_addr))
    } else if inet_pton(AF_INET6, host, &six) == 1 {
      let bytes = withUnsafeBytes(of: &six) { Array($0) }
      let high = bytes[0..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let low = bytes[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      switch (high, low >> 32) {
      case (0, 0xFFFF): self = Self.ipv4Network(UInt32(truncatingIfNeeded: low))
      case (0, 0) where low == 1: self = .loopback
      default: self = .ipv6(high)
      }
    } else {
      self = .unknown
    }
  }

  private static func ipv4Network(_ address: UInt32) -> NetworkAddress {
    address >> 24 == 127 ? .loopback : .ipv4(address)
  }
}

extension NetworkAddress: CustomStringConvertible {
  /// As people write it; of IPv6 the network.
  package var description: String {
    switch self {
    case .loopback: "this computer"
    case .ipv4(let bits): [24, 16, 8, 0].map { "\(bits >> $0 & 255)" }.joined(separator: ".")
    case .ipv6(let bits):
      [48, 32, 16, 0].map { String(bits >> $0 & 0xFFFF, radix: 16) }.joined(separator: ":") + "::/64"
    case .unknown: "an unknown address"
    }
  }
}

/// Among whom work, memory and connections are shared out.
package enum Client: Hashable, Sendable {
  /// Whoever knows the token.
  case owner
  /// Whoever has a password of that user.
  case person(String)
  /// Everybody else from there.
  case stranger(NetworkAddress)
}
