// A push service of browsers on this machine.
import { createECDH, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { settings } from '#contract/areas/notifications/settings.ts'
import type { Person, World } from './test-app.ts'

/** Starts a push service that answers with the status at the begin of the path: `/201/…`. `got` lists its messages. */
export async function pushService() {
  const got: { path: string; headers: IncomingHttpHeaders; bytes: number }[] = []
  const server = createServer((request, response) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => (bytes += chunk.length))
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, bytes })
      response.writeHead(Number(request.url?.slice(1, 4)), { location: '/201/redirected' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  return {
    got,
    base,
    close: () => new Promise<void>((done) => server.close(() => done())),
    /** Subscribes a browser of a user at a path of this service. */
    subscribe(world: Pick<World, 'api'>, as: Person, path: string) {
      const pair = createECDH('prime256v1')
      const p256dh = pair.generateKeys('base64url')
      const auth = randomBytes(16).toString('base64url')
      return world.api(settings.addPush, { endpoint: `${base}${path}`, p256dh, auth, device: 'Firefox' }, { as })
    },
  }
}
