import CMicroHTTPD
import Foundation

/// What is done with the requests of one server.
final class Answering: Sendable {
  private let bodyBytesMax: Int
  private let handler: @Sendable (HTTPRequest) -> HTTPResponse

  init(bodyBytesMax: Int, handler: @escaping @Sendable (HTTPRequest) -> HTTPResponse) {
    self.bodyBytesMax = bodyBytesMax
    self.handler = handler
  }

  /// Takes a piece of a body. Of one that is too long nothing is kept, but it has to be read before it can be answered.
  fileprivate func take(_ bytes: UnsafeRawBufferPointer, into exchange: Exchange) {
    exchange.byteCount += bytes.count
    if exchange.byteCount <= bodyBytesMax { exchange.body.append(contentsOf: bytes) } else { exchange.body = Data() }
  }

  /// The response to a request that has come as a whole.
  fileprivate func response(to exchange: Exchange, _ connection: OpaquePointer) -> HTTPResponse {
    guard exchange.byteCount <= bodyBytesMax else {
      return HTTPResponse(status: 413, json: Data(#"{"error":"The body is too long."}"#.utf8))
    }
    var request = HTTPRequest(exchange.method, exchange.path, body: exchange.body)
    withUnsafeMutablePointer(to: &request) { pointer in
      MHD_get_connection_values(connection, .HEADER_KIND, headerCallback, pointer)
      MHD_get_connection_values(connection, .GET_ARGUMENT_KIND, argumentCallback, pointer)
    }
    return handler(request)
  }
}

/// A request that comes in piece by piece.
private final class Exchange {
  let method: String
  let path: String
  var body = Data()
  var byteCount = 0

  init(method: String, path: String) {
    self.method = method
    self.path = path
  }
}

/// Is called by the library once for the head of a request, then for each piece of its body, then once at its end.
let answerCallback: MHD_AccessHandlerCallback = {
  context, connection, path, method, _, bytes, byteCount, state in
  guard let context, let connection, let path, let method, let byteCount, let state else { return .NO }
  guard let pointer = state.pointee else {
    // `endCallback` releases it, which the library calls for every request that has a state.
    let exchange = Exchange(method: String(cString: method), path: String(cString: path))
    state.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return .YES
  }
  let answering = Unmanaged<Answering>.fromOpaque(context).takeUnretainedValue()
  let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
  if byteCount.pointee > 0 {
    answering.take(UnsafeRawBufferPointer(start: bytes, count: byteCount.pointee), into: exchange)
    byteCount.pointee = 0
    return .YES
  }
  return send(answering.response(to: exchange, connection), on: connection)
}

/// Is called by the library when it is done with a request.
let endCallback: MHD_RequestCompletedCallback = { _, _, state, _ in
  guard let state, let pointer = state.pointee else { return }
  state.pointee = nil
  Unmanaged<Exchange>.fromOpaque(pointer).release()
}

/// Takes a header of the request that the context points to.
private let headerCallback: MHD_KeyValueIterator = { context, _, name, value in
  guard let request = context?.assumingMemoryBound(to: HTTPRequest.self), let name else { return .YES }
  let key = String(cString: name).lowercased()
  let text = value.map { String(cString: $0) } ?? ""
  request.pointee.headers[key] = request.pointee.headers[key].map { "\($0), \(text)" } ?? text
  return .YES
}

/// Takes an argument, which the library leaves as it stands in the line.
private let argumentCallback: MHD_KeyValueIterator = { context, _, name, value in
  guard let request = context?.assumingMemoryBound(to: HTTPRequest.self), let name else { return .YES }
  func decoded(_ text: UnsafePointer<CChar>) -> String {
    let spaced = String(cString: text).replacingOccurrences(of: "+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }
  request.pointee.arguments[decoded(name)] = value.map(decoded) ?? ""
  return .YES
}

private func send(_ response: HTTPResponse, on connection: OpaquePointer) -> MHD_Result {
  let made = response.body.withUnsafeBytes { bytes in
    // The library copies the bytes, and does not write to them.
    MHD_create_response_from_buffer(
      bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
  }
  guard let made else { return .NO }
  defer { MHD_destroy_response(made) }
  for (name, value) in response.headers { MHD_add_response_header(made, name, value) }
  return MHD_queue_response(connection, UInt32(response.status), made)
}
