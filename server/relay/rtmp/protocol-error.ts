/** Invalid data from the peer. Closes its connection. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}
