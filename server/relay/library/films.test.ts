// Films of a node with ffmpeg and a double of the service: forms, the folder, restarts, and everything that goes wrong.
import { spawn } from 'node:child_process'
import {
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { messageType } from '#server/relay/rtmp/message.ts'
import { openPrograms, type Programs } from '#server/relay/programs/programs.ts'
import { filesIn, makeMaster, mediaService, type MediaService } from '#server/relay/testing/films.ts'
import { folder, hasPrograms } from '#server/relay/testing/programs.ts'
import { until } from '#server/relay/testing/rig.ts'
import { FilmFolder } from './film-folder.ts'
import { FilmReader } from './film-reader.ts'
import { createFilmShelf, type FilmShelf } from './films.ts'

const form = { width: 320, height: 180, frameRate: 30, sampleRate: 48_000, channels: 2 } as const
const gib = 1024 ** 3

let dir: string
let films: string
let served: MediaService
let programs: Programs
let shelf: FilmShelf
const open = (bytesMax = gib, with_ = programs) =>
  createFilmShelf({ folder: films, bytesMax, service: served.service, programs: with_ })

beforeEach(async () => {
  dir = folder()
  films = join(dir, 'films')
  served = await mediaService(dir)
  programs = openPrograms('ffmpeg')
  shelf = open()
})
afterEach(async () => {
  vi.useRealTimers()
  await shelf.close()
  await programs.close()
  served.close()
  rmSync(dir, { recursive: true })
})

const master = (name: string, seconds = 2) => makeMaster(join(dir, name), { seconds })
const parts = () => filesIn(films).filter((name) => name.endsWith('.part'))

test.skipIf(!hasPrograms)(
  'a master is copied where it has the form of the stream, else encoded; once for each form',
  async () => {
    await master('a.mp4', 4)
    const copied = await until(() => shelf.get('a.mp4', form))
    expect(copied).toMatchObject({ durationMs: 4_000, pictures: { width: 320, height: 180, frameRate: 30 } })
    expect(copied.keys.map(([ms]) => ms)).toEqual([0, 2_000])
    const own = await until(() => shelf.get('a.mp4', null))
    expect(own.bytes).toBe(copied.bytes)
    const other = { width: 255, height: 144, frameRate: 50, sampleRate: 44_100, channels: 1 } as const
    const encoded = await until(() => shelf.get('a.mp4', other))
    expect(encoded).toMatchObject({
      durationMs: 4_000,
      pictures: { width: 254, height: 144, frameRate: 50 },
      sound: { sampleRate: 44_100, channels: 1 },
    })
    expect(encoded.keys.map(([ms]) => ms)).toEqual([0, 2_000])
    // Constant: 300 kbps and the sound.
    expect(encoded.bytes).toBeGreaterThan((300_000 / 8) * 3.5)
    expect(encoded.bytes).toBeLessThan((420_000 / 8) * 4.5)
    const sound = await until(() => shelf.get('a.mp4', { ...form, sampleRate: 44_100 }))
    expect(sound.sound).toEqual({ sampleRate: 44_100, channels: 2 })
    expect(sound.video).toEqual(copied.video)
    // The same object: all streams share its beginning.
    expect(shelf.get('a.mp4', { ...form })).toBe(copied)
    expect(shelf.get('a.mp4', { ...other, width: 254 })).toBe(encoded)
    for (const film of [copied, encoded]) {
      const reader = new FilmReader(film)
      const messages = reader.take(1e9)
      expect(messages.filter(({ type }) => type === messageType.audio).length).toBeGreaterThan(165)
      expect(messages.filter(({ type }) => type === messageType.video)).toHaveLength(film === copied ? 120 : 200)
      reader.close()
    }
    const asked = served.asked.length
    expect(parts()).toEqual([])
    // After a restart nothing is fetched.
    await shelf.close()
    shelf = open()
    expect((await until(() => shelf.get('a.mp4', form))).durationMs).toBe(4_000)
    expect(served.asked).toHaveLength(asked)
  },
)

test.skipIf(!hasPrograms)(
  'a master without sound is a film without sound, and streams above 60 frames have half of them',
  async () => {
    await makeMaster(join(dir, 'mute.mp4'), { seconds: 1, frequency: 0 })
    const film = await until(() => shelf.get('mute.mp4', { ...form, frameRate: 120 }))
    expect(film).toMatchObject({ audio: null, sound: null, durationMs: 1_000, pictures: { frameRate: 60 } })
    expect((await until(() => shelf.get('mute.mp4', { ...form, frameRate: 0 }))).pictures.frameRate).toBe(30)
  },
)

test.skipIf(!hasPrograms)('no film of files that are none, and of sizes that no film has', async () => {
  await master('a.mp4')
  writeFileSync(join(dir, 'list.mp4'), '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')
  writeFileSync(join(dir, 'empty.mp4'), '')
  await makeMaster(join(dir, 'whole.mp4'), { seconds: 2 })
  truncateSync(join(dir, 'whole.mp4'), 20_000)
  for (const width of [0, 1, 5_000, Number.NaN]) expect(shelf.get('a.mp4', { ...form, width })).toBeNull()
  for (const file of ['list.mp4', 'empty.mp4', '../../etc/passwd', 'none.mp4']) {
    shelf.get(file, form)
    await until(() => shelf.failure(file) !== '')
    expect(shelf.get(file, form)).toBeNull()
  }
  expect(shelf.failure('none.mp4')).toBe('The service answered 404')
  expect(shelf.failure('list.mp4')).toBe('The file is no H.264 with AAC')
  expect(filesIn(films)).toEqual([])
  // A master that is cut is a film of what is there, or none.
  shelf.get('whole.mp4', form)
  await until(() => shelf.failure('whole.mp4') !== '' || shelf.get('whole.mp4', form))
  expect(parts()).toEqual([])
})

test('without a limit, films have half of their folder and of the free space of its disk', async () => {
  writeFileSync(join(dir, 'one.film'), Buffer.alloc(64 * 1024 ** 2))
  const { bavail, bsize } = statfsSync(dir)
  const half = (64 * 1024 ** 2 + bavail * bsize) / 2
  // Other programs write to the disk.
  expect(Math.abs((await new FilmFolder(dir).bytesMax()) - half)).toBeLessThan(32 * 1024 ** 2)
  expect(await new FilmFolder(dir, gib).bytesMax()).toBe(gib)
})

test('reports the largest master that it takes, and measures a disk again', async () => {
  await until(() => shelf.fileBytesMax() === gib / 2)
  rmSync(films, { recursive: true, force: true })
  const free = createFilmShelf({ folder: films, service: served.service, programs })
  const { bavail, bsize } = statfsSync(dir)
  await until(() => free.fileBytesMax() !== null)
  expect(Math.abs((free.fileBytesMax() ?? 0) - (bavail * bsize) / 4)).toBeLessThan(32 * 1024 ** 2)
  writeFileSync(join(films, 'one.film'), Buffer.alloc(0))
  truncateSync(join(films, 'one.film'), 2 ** 40)
  await until(() => (free.fileBytesMax() ?? 0) > 2 ** 38)
  await free.close()
})

test.skipIf(!hasPrograms)('without ffmpeg nothing is fetched', async () => {
  await master('a.mp4')
  const none = open(gib, openPrograms(''))
  none.get('a.mp4', form)
  await until(() => none.failure('a.mp4') !== '')
  expect(none.failure('a.mp4')).toBe('The relay has no ffmpeg')
  expect(served.asked).toEqual([])
  await none.close()
})

test.skipIf(!hasPrograms)(
  'a connection that breaks continues where it was; a file that changes its length is refused',
  async () => {
    await master('a.mp4', 4)
    const { size } = statSync(join(dir, 'a.mp4'))
    let isBroken = false
    served.answer = (_, response) => {
      if (isBroken) return false
      isBroken = true
      response.writeHead(206, { 'content-range': `bytes 0-${size - 1}/${size}`, 'content-length': size })
      response.write(Buffer.alloc(0))
      // The rest never comes.
      void import('node:fs/promises').then(async ({ readFile }) => {
        response.write((await readFile(join(dir, 'a.mp4'))).subarray(0, 10_000))
        setTimeout(() => response.destroy(), 50)
      })
      return true
    }
    await until(() => shelf.get('a.mp4', form))
    expect(served.asked).toEqual(['/relay/media/a.mp4 bytes=0-', '/relay/media/a.mp4 bytes=10000-'])
    served.answer = ({ headers }, response) => {
      const from = Number(/\d+/.exec(headers.range ?? '')?.[0])
      const total = from === 0 ? 5_000 : 6_000
      response.writeHead(206, {
        'content-range': `bytes ${from}-${total - 1}/${total}`,
        'content-length': total - from,
      })
      response.write(Buffer.alloc(1_000))
      setTimeout(() => response.destroy(), 50)
      return true
    }
    shelf.get('b.mp4', form)
    await until(() => shelf.failure('b.mp4') !== '')
    expect(shelf.failure('b.mp4')).toBe('The file changed its length')
    expect(parts()).toEqual([])
  },
)

test.skipIf(!hasPrograms).each([
  ['sends without an end', {}, 'announced no length'],
  [
    'announces too much',
    { 'content-length': String(20 * 1024 ** 3) },
    'The file has 21475 MB, and this server has room for files up to 537 MB',
  ],
  ['compresses', { 'content-length': '100', 'content-encoding': 'gzip' }, 'compressed'],
  ['answers with another part', { 'content-range': 'bytes 500-999/1000', status: 206 }, 'no length'],
  ['sends elsewhere', { location: '/relay/media/other.mp4', status: 302 }, ''],
  ['fails', { status: 500 }, 'answered 500'],
])('a service that %s ends nothing', async (_, { status = 200, ...headers }: Record<string, unknown>, words) => {
  served.answer = (_request, response) => {
    response.writeHead(Number(status), headers as Record<string, string>)
    const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1)
    response.on('close', () => clearInterval(timer)).on('error', () => undefined)
    return true
  }
  shelf.get('a.mp4', form)
  await until(() => shelf.failure('a.mp4') !== '')
  expect(shelf.failure('a.mp4')).toContain(words)
  expect(served.asked).toHaveLength(1)
  expect(filesIn(films)).toEqual([])
})

test.skipIf(!hasPrograms)('a full folder keeps what is in use, and removes what was used the longest ago', async () => {
  for (const name of ['a.mp4', 'b.mp4', 'c.mp4']) await master(name)
  await shelf.close()
  // Room is made in steps of 32 MB.
  const bytesMax = 40 * 1024 ** 2
  films = join(dir, 'small')
  shelf = open(bytesMax)
  const a = await until(() => shelf.get('a.mp4', form))
  const filler = join(films, 'filler.film')
  writeFileSync(filler, '')
  truncateSync(filler, 30 * 1024 ** 2)
  shelf.get('b.mp4', form)
  await until(() => shelf.failure('b.mp4') !== '')
  expect(shelf.failure('b.mp4')).toBe('The folder of clips is full')
  // It was used the longest ago, and a killed process left another one.
  const old = new Date(Date.now() - 3_600_000)
  const left = join(films, 'left.part')
  writeFileSync(left, 'x')
  for (const path of [filler, left]) utimesSync(path, old, old)
  shelf.get('c.mp4', form)
  await until(() => shelf.get('c.mp4', form))
  expect(filesIn(films)).toHaveLength(2)
  expect(statSync(a.path).size).toBeGreaterThan(0)
})

test.skipIf(!hasPrograms)('a film that is gone is made anew', async () => {
  await master('a.mp4')
  const film = await until(() => shelf.get('a.mp4', form))
  film.isBroken = true
  rmSync(film.path)
  expect(shelf.get('a.mp4', form)).toBeNull()
  expect(shelf.failure('a.mp4')).toBe('The film could not be read')
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 31_000)
  const again = await until(() => shelf.get('a.mp4', form))
  expect(again).not.toBe(film)
  expect(again.durationMs).toBe(2_000)
  // Removed by hand, which the shelf notices within a minute.
  rmSync(again.path)
  vi.setSystemTime(Date.now() + 61_000)
  shelf.get('a.mp4', form)
  await until(() => again.isBroken)
})

test.skipIf(!hasPrograms)(
  'a program that hangs or writes nonsense leaves no file, and delays no other film for long',
  async () => {
    const script = join(dir, 'ffmpeg')
    writeFileSync(
      script,
      `#!/bin/sh
case "$*" in
  *-version*) echo "ffmpeg version 5.1"; exit 0;;
  *-encoders*) echo "libx264"; exit 0;;
  *frames:v*) exec ffmpeg "$@";;
  *) exec cat /dev/zero;;
esac`,
      { mode: 0o755 },
    )
    await master('a.mp4')
    const double = openPrograms(script)
    const other = open(gib, double)
    other.get('a.mp4', form)
    await until(() => other.failure('a.mp4') !== '')
    expect(other.failure('a.mp4')).toBe('The data is not FLV')
    expect(filesIn(films)).toEqual([])
    await other.close()
    await double.close()
  },
)

test.skipIf(!hasPrograms)('a node that is killed while it makes a film leaves no film and no program', async () => {
  await makeMaster(join(dir, 'long.mp4'), { seconds: 60, size: '640x360' })
  const script = join(dir, 'node.ts')
  const url = (path: string) => new URL(path, import.meta.url).href
  writeFileSync(
    script,
    `import { createFilmShelf } from '${url('films.ts')}'
import { openPrograms } from '${url('../programs/programs.ts')}'
const shelf = createFilmShelf({ folder: '${films}', service: '${served.service}', programs: openPrograms('ffmpeg') })
setInterval(() => shelf.get('long.mp4', { width: 1280, height: 720, frameRate: 30, sampleRate: 44100, channels: 1 }), 100)`,
  )
  const node = spawn(process.execPath, [script], { stdio: 'inherit' })
  const growing = () => parts().filter((name) => statSync(join(films, name)).size > 300_000)
  await until(() => {
    try {
      return growing().length === 2
    } catch {
      return false
    }
  })
  const programsOf = () => runningWith(films)
  expect(programsOf()).toHaveLength(1)
  node.kill('SIGKILL')
  await until(() => programsOf().length === 0)
  expect(filesIn(films).filter((name) => name.endsWith('.film'))).toEqual([])
  expect(parts()).toHaveLength(2)
})

/** Programs of this machine whose arguments contain a text. */
function runningWith(text: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('ffmpeg') &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
      )
    } catch {
      return false
    }
  })
}
