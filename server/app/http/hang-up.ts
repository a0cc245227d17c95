// Ends of connections.
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Time for a peer to close its end, milliseconds. */
const lingerMs = 2_000

/**
 * Sends the last bytes and closes: when the peer has closed its end, after two seconds at the latest.
 * @param text a whole HTTP response
 */
export function hangUp(socket: Duplex, text: string): void {
  socket.on('error', () => socket.destroy())
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.end(text)
  // Unread bytes would turn the close into a reset, and the peer could lose the response.
  socket.resume()
}

/**
 * Returns whether the peer reset the connection before its request is handled: then it has no address, which limits and rules
 * count by. Once this is false the address stays known.
 */
export const isGone = ({ remoteAddress }: Socket): boolean => remoteAddress === undefined
