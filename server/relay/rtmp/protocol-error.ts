/** What the other side sent is not RTMP as we take it. Costs that connection, and nothing else. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}
