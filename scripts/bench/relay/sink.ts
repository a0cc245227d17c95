// Destinations of all engines: nginx-rtmp, except one destination here, which records when each message arrives.
import { messageType } from '#server/relay/rtmp/message.ts'
import { createServer } from 'node:net'
import { openConnection } from '#server/relay/rtmp/connection.ts'
import { command, onStatus, readCommand } from '#server/relay/rtmp/messages.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { startNginx } from '#server/relay/testing/programs.ts'
import { markOf } from './sample.ts'

export interface Sink {
  /** Returns addresses of `count` destinations; the first is the measured one. */
  urls(count: number): string[]
  /** Returns the number of incoming streams. */
  streams(): Promise<number>
  stop(): Promise<void>
}

/** @param onArrival receives the mark of each frame at the first destination */
export async function sink(onArrival: (mark: string) => void): Promise<Sink> {
  const port = await freePort()
  const statistics = await freePort()
  const nginx = await startNginx(
    port,
    `http { access_log off; server { listen 127.0.0.1:${statistics}; location / { rtmp_stat all; } } }
rtmp { server { listen 127.0.0.1:${port}; access_log off; application live { live on; } } }`,
  )
  let watched = 0
  const server = createServer((socket) => {
    const connection = openConnection(
      socket,
      'server',
      {
        onReady: () => undefined,
        onClose: () => (watched = 0),
        onMessage(message) {
          if (message.type === messageType.video || message.type === messageType.audio)
            return onArrival(markOf(message.payload))
          const call = readCommand(message)
          if (call?.name === 'connect')
            connection.send(command('_result', call.transaction, null, [{ code: 'NetConnection.Connect.Success' }]))
          else if (call?.name === 'createStream') connection.send(command('_result', call.transaction, null, [1]))
          else if (call?.name === 'publish') {
            watched = 1
            connection.send(onStatus('status', 'NetStream.Publish.Start', 'Go', call.streamId))
          }
        },
      },
      { readyMs: 10_000 },
    )
    connection.trust()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const here = typeof address === 'object' && address ? address.port : 0
  return {
    urls: (count) =>
      Array.from({ length: count }, (_, index) => `rtmp://127.0.0.1:${index === 0 ? here : port}/live/d${index}`),
    async streams() {
      const text = await (await fetch(`http://127.0.0.1:${statistics}/`)).text()
      return watched + (text.match(/<publishing\/>/g) ?? []).length
    },
    async stop() {
      server.close()
      await nginx.stop()
    },
  }
}
