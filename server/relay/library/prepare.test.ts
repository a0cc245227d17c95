// Preparation of uploads at a node, with ffmpeg and a double of the service: what masters are, what is refused, and what remains.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FromNode } from '#contract/relay/from-node.ts'
import { openPrograms, type Programs } from '#server/relay/programs/programs.ts'
import { folder, hasPrograms } from '#server/relay/testing/programs.ts'
import { until } from '#server/relay/testing/rig.ts'
import { createPreparer, type Preparer } from './prepare.ts'
import { progressIn } from './prepare-arguments.ts'

type Told = Extract<FromNode, { readonly type: 'prepare' }>
interface Facts {
  readonly bytes: number
  readonly ms: number
  readonly width: number
  readonly height: number
  readonly thumbnail: string
}

let dir: string
let programs: Programs
let preparer: Preparer
let service: Server
let told: Told[]
let master: Buffer
let facts: Facts | null
let isLoaded: boolean
/** Requests that the service refuses or breaks before it takes the next one. */
let breaks: number
const original = () => join(dir, 'upload')
const work = () => join(dir, 'work')

beforeEach(async () => {
  dir = folder()
  told = []
  master = Buffer.alloc(0)
  facts = null
  isLoaded = false
  breaks = 0
  programs = openPrograms('ffmpeg')
  service = createServer((request, response) => {
    if (request.headers['prepare-ticket'] !== 'ticket') return void response.writeHead(401).end()
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (breaks > 0 && request.method === 'PUT') return void (breaks--, request.socket.destroy())
      const body = Buffer.concat(pieces)
      if (request.url === '/relay/prepare/original') {
        const content = readFileSync(original())
        const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0)
        const headers = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }
        return void response.writeHead(206, headers).end(content.subarray(from))
      }
      if (request.url === '/relay/prepare/master') {
        const from = Number(/\d+/.exec(request.headers['content-range'] ?? '')?.[0])
        master = Buffer.concat([master.subarray(0, from), body])
      } else facts = JSON.parse(body.toString()) as Facts
      response.writeHead(200).end('{}')
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  preparer = createPreparer({
    folder: work(),
    service: `ws://127.0.0.1:${(service.address() as AddressInfo).port}/relay`,
    programs,
    send: (message) => void told.push(message as Told),
    isLoaded: () => isLoaded,
    onChange: () => undefined,
  })
})
afterEach(async () => {
  await preparer.close()
  await programs.close()
  service.closeAllConnections()
  service.close()
  rmSync(dir, { recursive: true })
})

const ffmpeg = (args: string) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args.split(' ')])
const probe = (path: string, entries: string): string =>
  execFileSync('ffprobe', ['-v', 'error', '-show_entries', entries, '-of', 'csv=p=0', path]).toString().trim()

/** Prepares the upload. @returns the reason of a failure; undefined: it has a master */
async function prepare(bytesMax = 1e9): Promise<Told | undefined> {
  const bytes = readFileSync(original()).length
  preparer.begin({ job: 'job', ticket: 'ticket', bytes, bytesMax })
  const failed = () => told.find(({ state }) => state !== 'working')
  await until(() => facts !== null || failed() !== undefined)
  await until(() => !preparer.isBusy())
  expect(existsSync(work())).toBe(false)
  return failed()
}
const refused = async (content: string | Buffer) => {
  writeFileSync(original(), content)
  return (await prepare())?.error
}

test.skipIf(!hasPrograms)(
  'a film becomes H.264 High with closed groups of two seconds, AAC, and no metadata',
  async () => {
    const source = join(dir, 'source.mkv')
    ffmpeg(
      `-f lavfi -i testsrc2=s=2048x865:r=90:d=2.5 -f lavfi -i sine=d=2.5 -metadata title=secret -c:v libx264 -preset ultrafast -pix_fmt yuv444p -c:a libmp3lame ${source}`,
    )
    writeFileSync(original(), readFileSync(source))
    expect(await prepare()).toBeUndefined()
    writeFileSync(join(dir, 'master.mp4'), master)
    const path = join(dir, 'master.mp4')
    expect(facts).toMatchObject({ bytes: master.length, width: 1_920, height: 810 })
    expect(Math.abs(Number(facts?.ms) - 2_500)).toBeLessThan(60)
    expect(
      Buffer.from(facts?.thumbnail ?? '', 'base64')
        .subarray(0, 2)
        .toString('hex'),
    ).toBe('ffd8')
    expect(probe(path, 'stream=codec_name,profile,pix_fmt,r_frame_rate,avg_frame_rate').split('\n')[0]).toBe(
      'h264,High,yuv420p,60/1,60/1',
    )
    expect(probe(path, 'stream=codec_name,sample_rate,channels').split('\n')[1]).toContain('aac,48000,2')
    const keys = execFileSync('ffprobe', [
      ...'-v error -select_streams v -skip_frame nokey -show_entries frame=pts_time -of csv=p=0'.split(' '),
      path,
    ])
    expect([...keys.toString().matchAll(/\d+\.\d+/g)].map(([one]) => Math.round(Number(one) * 10))).toEqual([0, 20])
    expect(master.toString('latin1')).not.toContain('secret')
    // `moov` stands in front: players begin before they have all.
    expect(master.indexOf('moov')).toBeLessThan(master.indexOf('mdat'))
    expect(told.every(({ state }) => state === 'working')).toBe(true)
  },
)

test.skipIf(!hasPrograms)('a film without sound gets silence, and broken connections cost nothing', async () => {
  ffmpeg(`-f lavfi -i testsrc=s=320x240:r=25:d=2 -c:v libx264 -f flv ${original()}`)
  breaks = 1
  expect(await prepare()).toBeUndefined()
  writeFileSync(join(dir, 'master.mp4'), master)
  expect(probe(join(dir, 'master.mp4'), 'stream=codec_name').split('\n')).toEqual(['h264', 'aac'])
})

test.skipIf(!hasPrograms)('refuses playlists, texts, viruses, sound alone, and sizes that no film has', async () => {
  const secret = join(dir, 'secret.ts')
  ffmpeg(`-f lavfi -i testsrc=s=320x240:d=1 -c:v libx264 -f mpegts ${secret}`)
  const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`
  expect(await refused(playlist)).toBe('unreadable')
  told = []
  expect(await refused(`ffconcat version 1.0\nfile '${secret}'\n`)).toBe('unreadable')
  told = []
  const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')
  expect(await refused(eicar)).toBe('unreadable')
  told = []
  expect(await refused('A text, and no film.')).toBe('unreadable')
  told = []
  expect(await refused('')).toBe('unreadable')
  told = []
  ffmpeg(`-f lavfi -i sine=d=1 -c:a aac -f mp4 ${original()}`)
  expect((await prepare())?.error).toBe('no-video')
  told = []
  // A header that announces 16,000 pixels decodes to 100 MB a picture.
  ffmpeg(`-f lavfi -i color=s=16000x4000:r=1:d=1 -frames:v 1 -c:v mjpeg -f matroska ${original()}`)
  expect((await prepare())?.error).toBe('too-large')
  expect(facts).toBeNull()
})

test.skipIf(!hasPrograms)('refuses a film that lasts too long, or whose master exceeds the space', async () => {
  ffmpeg(`-f lavfi -i color=s=64x64:r=1:d=4 -c:v libx264 -vf setpts=PTS*20000 -f matroska ${original()}`)
  expect((await prepare())?.error).toBe('too-long')
  told = []
  ffmpeg(`-f lavfi -i testsrc2=s=640x360:d=2 -c:v libx264 -preset ultrafast -f matroska ${original()}`)
  expect((await prepare(20_000))?.error).toBe('no-space')
  expect(facts).toBeNull()
})

test.skipIf(!hasPrograms)('ends when the service does not need it, and takes no second one', async () => {
  ffmpeg(`-f lavfi -i testsrc2=s=640x360:r=50:d=60 -c:v libx264 -preset ultrafast -f matroska ${original()}`)
  const bytes = readFileSync(original()).length
  preparer.begin({ job: 'job', ticket: 'ticket', bytes, bytesMax: 1e9 })
  preparer.begin({ job: 'other', ticket: 'ticket', bytes, bytesMax: 1e9 })
  expect(told.find(({ job }) => job === 'other')?.state).toBe('busy')
  await until(() => told.some(({ done = 0 }) => done > 5))
  preparer.end('job')
  await until(() => !preparer.isBusy())
  expect(existsSync(work())).toBe(false)
  expect([facts, told.some(({ state }) => state === 'failed')]).toEqual([null, false])
  isLoaded = true
  preparer.begin({ job: 'third', ticket: 'ticket', bytes, bytesMax: 1e9 })
  expect(told.find(({ job }) => job === 'third')?.state).toBe('busy')
})

test('a node whose disk has no room for the upload gives it back, and names the reason once', async () => {
  const { bavail, bsize } = statfsSync(dir)
  for (const job of ['one', 'two']) {
    preparer.begin({ job, ticket: 'ticket', bytes: bavail * bsize, bytesMax: 1e9 })
    await until(() => !preparer.isBusy())
  }
  expect(told.filter(({ state }) => state !== 'working')).toEqual([
    { type: 'prepare', job: 'one', state: 'busy', words: expect.stringContaining('no room') },
    { type: 'prepare', job: 'two', state: 'busy' },
  ])
  expect(existsSync(work())).toBe(false)
})

test('reads the newest time of the progress, and none of a line that is cut', () => {
  expect(progressIn('out_time_us=1000000\nprogress=continue\nout_time_us=1200000\nprogress=end\n')).toBe(1_200)
  expect(progressIn('out_time_us=1200000\nprogress=continue\nout_time_us=13')).toBe(1_200)
  expect(progressIn('out_time_us=12')).toBeNull()
})
