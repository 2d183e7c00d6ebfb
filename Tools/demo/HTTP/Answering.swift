import CMicroHTTPD
import DemoWire
import Foundation

/// What is done with the requests of one server.
final class Answering: Sendable {
  private let bodyBytesMax: Int
  private let handler: @Sendable (Request) -> Response

  init(bodyBytesMax: Int, handler: @escaping @Sendable (Request) -> Response) {
    self.bodyBytesMax = bodyBytesMax
    self.handler = handler
  }

  /// Takes a piece of a body. Of one that is too long nothing is kept, but it has to be read before it can be answered.
  fileprivate func take(_ bytes: UnsafeRawBufferPointer, into exchange: Exchange) {
    exchange.byteCount += bytes.count
    if exchange.byteCount <= bodyBytesMax { exchange.body.append(contentsOf: bytes) } else { exchange.body = Data() }
  }

  /// The response to a request that has come as a whole.
  fileprivate func response(to exchange: Exchange, method: String, path: String) -> Response {
    guard exchange.byteCount <= bodyBytesMax else { return Self.refusal(413, "The body is too long.") }
    guard let method = Request.Method(rawValue: method) else { return Self.refusal(405, "The method is unknown.") }
    return handler(Request(method, path, body: exchange.body))
  }

  private static func refusal(_ status: Int, _ sentence: String) -> Response {
    Response(status: status, body: Data("{\"error\":\"\(sentence)\"}".utf8))
  }
}

/// A request that comes in piece by piece.
private final class Exchange {
  var body = Data()
  var byteCount = 0
}

/// Is called by the library once for the head of a request, then for each piece of its body, then once at its end.
let answerCallback: MHD_AccessHandlerCallback = {
  context, connection, path, method, _, bytes, byteCount, state in
  guard let context, let connection, let path, let method, let byteCount, let state else { return .NO }
  guard let pointer = state.pointee else {
    // `endCallback` releases it, which the library calls for every request that has a state.
    state.pointee = Unmanaged.passRetained(Exchange()).toOpaque()
    return .YES
  }
  let answering = Unmanaged<Answering>.fromOpaque(context).takeUnretainedValue()
  let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
  if byteCount.pointee > 0 {
    answering.take(UnsafeRawBufferPointer(start: bytes, count: byteCount.pointee), into: exchange)
    byteCount.pointee = 0
    return .YES
  }
  let response = answering.response(to: exchange, method: String(cString: method), path: String(cString: path))
  return send(response, on: connection)
}

/// Is called by the library when it is done with a request.
let endCallback: MHD_RequestCompletedCallback = { _, _, state, _ in
  guard let state, let pointer = state.pointee else { return }
  state.pointee = nil
  Unmanaged<Exchange>.fromOpaque(pointer).release()
}

private func send(_ response: Response, on connection: OpaquePointer) -> MHD_Result {
  let made = response.body.withUnsafeBytes { bytes in
    // The library copies the bytes, and does not write to them.
    MHD_create_response_from_buffer(
      bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
  }
  guard let made else { return .NO }
  defer { MHD_destroy_response(made) }
  MHD_add_response_header(made, "Content-Type", "application/json")
  return MHD_queue_response(connection, UInt32(response.status), made)
}
