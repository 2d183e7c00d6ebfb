/// Who writes what comes from a backend. Rows that it changes are not to be pushed; whatever anybody else writes is *local*.
package enum InboundAuthor {
  package static let name = "com.github.3lvis.SwiftSync.inbound"
}
