// The ways of ffmpeg to remote sources, by plain sockets and requests in its place.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPrograms } from '#server/relay/programs/programs.ts'
import { folder, hasPrograms } from '#server/relay/testing/programs.ts'
import { openRoute } from './routes.ts'
import { remoteArguments, remoteScript } from './source.ts'

const allowed = { allowPrivateDestinations: true }
const refused = { allowPrivateDestinations: false }

async function web(): Promise<number> {
  const server = createHttpServer((_, response) => response.end('media')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Requests an address by the proxy of a way. @returns status and body */
async function byProxy(proxy: string, address: string): Promise<[number | undefined, string]> {
  const { hostname, port } = new URL(proxy)
  const outgoing = request({ host: hostname, port, path: address, headers: { host: new URL(address).host } }).end()
  const [response] = await once(outgoing, 'response')
  let text = ''
  for await (const piece of response) text += String(piece)
  return [response.statusCode, text]
}

async function connectBy(proxy: string, target: string): Promise<string> {
  const { hostname, port } = new URL(proxy)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
  const first = await Promise.race([
    once(socket, 'data').then(([bytes]) => String(bytes)),
    once(socket, 'close').then(() => ''),
  ])
  socket.destroy()
  return first
}

test('the proxy reaches what is allowed, and nothing in private networks', async () => {
  const port = await web()
  const open = await openRoute(`http://127.0.0.1:${port}/x.m3u8`, allowed)
  const closed = await openRoute(`http://example.com/x.m3u8`, refused)
  onTestFinished(() => [open, closed].forEach((one) => one.close()))
  const [proxy = '', guarded = ''] = [open.env['http_proxy'], closed.env['http_proxy']]
  expect(await byProxy(proxy, `http://127.0.0.1:${port}/a.ts`)).toEqual([200, 'media'])
  expect(await connectBy(proxy, `127.0.0.1:${port}`)).toContain('200')
  expect(await byProxy(guarded, `http://127.0.0.1:${port}/a.ts`)).toEqual([502, ''])
  expect(await byProxy(guarded, `http://localhost:${port}/a.ts`)).toEqual([502, ''])
  for (const target of [`127.0.0.1:${port}`, `[::1]:${port}`, `localhost:${port}`, `0x7f000001:${port}`, 'nonsense'])
    expect(await connectBy(guarded, target)).not.toContain('200')
})

test.each([
  'HTTP/1.1 000 x\r\nContent-Length: 3\r\n\r\nabc',
  'HTTP/1.1 099 x\r\nContent-Length: 3\r\n\r\nabc',
  'HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nabc',
  'HTTP/1.1 200 x\r\nX: \u0001\r\n\r\n',
  `HTTP/1.1 200 x\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
  'nonsense',
])('a hostile answer ends its request only: %j', async (answer) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.from(answer, 'latin1')))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const route = await openRoute(`http://127.0.0.1:${port}/x.m3u8`, allowed)
  onTestFinished(() => [server, route].forEach((one) => void one.close()))
  expect(await byProxy(route.env['http_proxy'] ?? '', `http://127.0.0.1:${port}/a.ts`)).toEqual([502, ''])
})

test('headers of an answer that ffmpeg does not need are left out', async () => {
  const answer = 'HTTP/1.1 200 x\r\nTrailer: X-T\r\nContent-Type: video/mp2t\r\nContent-Length: 5\r\n\r\nmedia'
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const route = await openRoute(`http://127.0.0.1:${port}/x.m3u8`, allowed)
  onTestFinished(() => [server, route].forEach((one) => void one.close()))
  expect(await byProxy(route.env['http_proxy'] ?? '', `http://127.0.0.1:${port}/a.ts`)).toEqual([200, 'media'])
})

test('a tunnel to RTMP keeps the name of the server, and ends with either side', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).write('hello')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const route = await openRoute(`rtmp://127.0.0.1:${port}/live/key?x=1`, allowed)
  expect(route.options['rtmp_tcurl']).toBe(`rtmp://127.0.0.1:${port}/live`)
  expect(route.url).toMatch(/^rtmp:\/\/127\.0\.0\.1:\d+\/live\/key\?x=1$/)
  const inner = connect(Number(new URL(route.url).port), '127.0.0.1')
  inner.on('error', () => undefined)
  expect(String((await once(inner, 'data'))[0])).toBe('hello')
  const closed = once(inner, 'close')
  route.close()
  await closed
  const forbidden = await openRoute(`rtmp://127.0.0.1:${port}/live/key`, refused)
  const none = connect(Number(new URL(forbidden.url).port), '127.0.0.1')
  none.on('error', () => undefined)
  await once(none, 'close')
  expect(forbidden.failure()).toContain('private network')
  forbidden.close()
})

test('SRT gets an address in digits', async () => {
  const route = await openRoute('srt://127.0.0.1:9000?streamid=a&mode=caller', allowed)
  expect(route.url).toBe('srt://127.0.0.1:9000?streamid=a&mode=caller')
  await expect(openRoute('srt://127.0.0.1:9000', refused)).rejects.toThrow('private network')
})

test.skipIf(!hasPrograms)('ffmpeg decodes no picture: a small file may have a billion pixels', async () => {
  const dir = folder()
  const png = join(dir, 'a.png')
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'color=red:size=64x64', '-frames:v', '1', png])
  const server = createHttpServer((_, response) => response.end(readFileSync(png)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const programs = openPrograms('ffmpeg')
  const route = await openRoute(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`, allowed)
  onTestFinished(async () => {
    route.close()
    await programs.close()
    server.close()
    rmSync(dir, { recursive: true })
  })
  const options = { args: remoteArguments(route, 'copy'), env: route.env, keepOut: 1_000 }
  const { said } = await programs.run(options, Buffer.from(remoteScript(route)))
  expect(said).toContain('not on whitelist')
})

test('arguments have no address, and quotes cannot leave the list', async () => {
  const route = await openRoute(`http://127.0.0.1/it's'%0Afile '/etc/passwd'`, allowed)
  onTestFinished(route.close)
  expect(remoteArguments(route, 'copy').join(' ')).not.toContain('127.0.0.1')
  const lines = remoteScript(route).split('\n')
  expect(lines.filter((line) => line.startsWith('file'))).toHaveLength(1)
  expect(lines[1]).toContain(String.raw`it'\''s`)
})
