// A start while PostgreSQL is away: the built service waits in one process, and serves as soon as the database is back.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { spawn } from 'node:child_process'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#server/relay/testing/free-port.ts'
import { until } from '#server/relay/testing/rig.ts'
import { emptyDatabaseUrl } from '#server/testing/databases.ts'
import { program, serviceProcess, supervisor } from '#server/testing/process.ts'

const port = await freePort()
const service = serviceProcess({ PORT: String(port) })
afterAll(() => service.close())
const url = `http://127.0.0.1:${port}`

const statusOf = async (path: string) => (await fetch(`${url}${path}`).catch(() => null))?.status

/** Runs the service below the supervisor. */
function supervise(DATABASE_URL: string) {
  const child = spawn(process.execPath, [supervisor, program], {
    env: { ...service.env, DATABASE_URL },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  service.track(child)
  return { child, ended: once(child, 'exit'), stdout: text(child.stdout), stderr: text(child.stderr) }
}

/** A PostgreSQL server that refuses each connection. @param states SQLSTATE per connection; the last one is repeated */
async function refusingPostgres(states: readonly string[]): Promise<string> {
  let connections = 0
  const server = createServer((socket) => {
    const state = states[Math.min(connections++, states.length - 1)]
    const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0Mrefused with ${state}\0\0`)
    const head = Buffer.from('E\0\0\0\0')
    head.writeInt32BE(fields.length + 4, 1)
    socket.on('error', () => undefined).once('data', () => socket.end(Buffer.concat([head, fields])))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return `postgres://ann:secret@127.0.0.1:${(server.address() as AddressInfo).port}/x`
}

test('waits in one process while PostgreSQL starts up, and ends when it refuses the password', async () => {
  const { ended, stdout, stderr } = supervise(await refusingPostgres(['57P03', '57P03', '28P01']))
  expect(await ended).toEqual([78, null])
  expect(await stdout).toContain('The service waits for its database')
  expect(await stdout).not.toContain('Restarting')
  expect(await stderr).toBe(
    'The database of DATABASE_URL cannot be opened: No connection to the database: refused with 28P01\n',
  )
})

test('answers health and pages while it waits, refuses all else in words, and ends on SIGTERM', async () => {
  const { child, ended, stdout } = supervise(`postgres://ann:secret@127.0.0.1:${await freePort()}/x`)
  await until(async () => (await statusOf('/healthz')) === 200)
  expect(await statusOf('/readyz')).toBe(503)
  // The first request of the dashboard; unit tests run without a built one.
  expect(await statusOf('/config.json')).toBe(200)
  expect(await statusOf('/files/x.png')).toBe(503)
  const answer = await fetch(`${url}/method/profile/info/get?language=ru`, { method: 'POST' })
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(await answer.json()).toMatchObject({
    error: { name: 'DatabaseUnavailable', msg: expect.stringContaining('База данных') },
  })
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(await stdout).not.toMatch(/secret|Restarting/)
})

test.runIf(process.env['DATABASE_URL'])('serves soon after the return of the database', async () => {
  const database = await emptyDatabaseUrl()
  onTestFinished(database.drop)
  const real = new URL(database.url)
  const sockets = new Set<Socket>()
  const line = createServer((near) => {
    const far = connect(Number(real.port), real.hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => other.destroy())
    }
    near.pipe(far).pipe(near)
  })
  const away = new URL(real)
  away.port = String(await freePort())
  const { child, ended, stdout } = supervise(away.href)
  await until(async () => (await statusOf('/healthz')) === 200)
  const pages: (number | undefined)[] = []
  const looking = setInterval(async () => pages.push(await statusOf('/config.json')), 100)
  await once(line.listen(Number(away.port), '127.0.0.1'), 'listening')
  const back = performance.now()
  await until(async () => (await statusOf('/readyz')) === 200)
  const tookMs = performance.now() - back
  clearInterval(looking)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  line.close()
  for (const socket of sockets) socket.destroy()
  expect(await stdout).not.toContain('Restarting')
  expect(pages.length).toBeGreaterThan(0)
  expect(pages.filter((status) => status !== 200)).toEqual([])
  // The machine may be busy: the product takes 1 s between two tries, and one start.
  expect(tookMs).toBeLessThan(8_000)
  process.stdout.write(
    JSON.stringify({ tookMs, pages: pages.length, bad: pages.filter((p) => p !== 200).length }) + '\n',
  )
})
