// A socket that wants to become something nobody offers: nothing else would ever answer or close it.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Refuses upgrades of other paths.
 * @param offered what paths begin with that somebody else takes
 */
export function refuseUpgrades(server: Server, offered: readonly string[]): void {
  server.on('upgrade', ({ url = '' }: IncomingMessage, socket: Duplex) => {
    if (offered.some((path) => url.startsWith(path))) return
    socket.on('error', () => socket.destroy())
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
  })
}
