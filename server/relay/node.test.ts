// The line of a node to a service that does not answer.
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startNode } from './node.ts'
import { until } from './testing/rig.ts'

test('opens another line when the service accepts the connection and does not answer the upgrade', async () => {
  const sockets: Socket[] = []
  const mute = createServer((socket) => sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  const address = mute.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const node = await startNode({
    service: `ws://127.0.0.1:${port}/relay`,
    token: 'a token',
    about: { node: 'here', city: 'Berlin', country: 'DE', lat: 52.5, long: 13.4, host: '127.0.0.1', pingHost: '' },
    listen: { host: '127.0.0.1', port: 0 },
    ffmpeg: '',
    dial: { allowPrivateDestinations: true },
    graceMs: 300,
    pulseMs: 200,
    owned: false,
    onQuit: () => undefined,
    say: () => undefined,
  })
  onTestFinished(async () => {
    await node.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => mute.close(resolve))
  })
  await until(() => sockets.length > 1)
  expect(sockets.length).toBeGreaterThan(1)
})
