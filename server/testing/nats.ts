// A NATS server of a test.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Tests with NATS are skipped where `scripts/house/media.ts` could not install it; under CI they fail. */
export const hasNats = Boolean(process.env['CI']) || spawnSync('nats-server', ['-v']).status === 0

export interface NatsServer {
  readonly url: string
  /** Starts the server again on its port. */
  start(): Promise<void>
  kill(): Promise<void>
}

/** Starts a server on a free port, which it chooses. @param host address to listen on */
export async function natsServer(host = '127.0.0.1'): Promise<NatsServer> {
  let child: ChildProcess | null = null
  let port = -1
  const start = async () => {
    const started = spawn('nats-server', ['-a', host, '-p', String(port)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = started
    port = await new Promise((resolve, reject) => {
      started.once('error', reject).once('exit', (code) => reject(new Error(`nats-server ended with ${code}`)))
      // It writes its log to stderr; the line of the listener comes first, the one of readiness after it.
      let found = -1
      createInterface(started.stderr).on('line', (line) => {
        found = Number(/client connections on [\d.]+:(\d+)/.exec(line)?.[1] ?? found)
        if (line.includes('Server is ready')) resolve(found)
      })
    })
  }
  await start()
  return {
    url: `nats://${host}:${port}`,
    start,
    async kill() {
      const running = child
      child = null
      if (running?.kill('SIGKILL')) await once(running, 'exit')
    },
  }
}
