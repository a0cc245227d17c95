// The real process, killed in the middle of its work: what it had acknowledged is there afterwards.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { type Pair, post, program, serviceProcess, signUp } from '#server/testing/process.ts'

const { start, env, track, close } = serviceProcess()
afterAll(close)

const refresh = (url: string, token: string) =>
  post<Pair>(`${url}/method/auth/refresh-access`, { v: '1', language: 'en', app: 'site', refresh: token })

test('nothing that was acknowledged is lost on kill -9', async () => {
  const first = await start()
  // The last response of each session; a chain ends where its response was lost.
  const acknowledged: Pair[] = []
  const chain = async (session: number) => {
    for (let step = 0; ; step++) {
      const last = acknowledged[session]
      acknowledged[session] = last
        ? await refresh(first.url, last.refreshToken)
        : await signUp(first.url, `ann-${session}@example.com`)
      if (step === 20) first.child.kill('SIGKILL')
    }
  }
  const gone = once(first.child, 'exit')
  await Promise.allSettled(Array.from({ length: 8 }, (_, session) => chain(session)))
  await gone
  expect(acknowledged).toHaveLength(8)

  const second = await start()
  for (const pair of acknowledged) {
    const me = await fetch(`${second.url}/method/auth/me`, { headers: { authorization: `oauth ${pair.accessToken}` } })
    expect(me.status).toBe(200)
    expect((await refresh(second.url, pair.refreshToken)).refreshToken).toBeTruthy()
  }

  const third = spawn(process.execPath, [program], { env, stdio: 'pipe' })
  track(third)
  const [words, refused] = await Promise.all([text(third.stderr), once(third, 'exit')])
  expect(words).toMatch(/^DATA_DIR .* is in use by another Relaydeck service\./)
  expect(refused).toEqual([78, null])

  const stopped = once(second.child, 'exit')
  second.child.kill('SIGTERM')
  expect(await stopped).toEqual([0, null])
})

test('names the setting that prevents the start, with 78 unless a later start may succeed', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const port = String((taken.address() as AddressInfo).port)
  const said = async (more: Readonly<Record<string, string>>, code: number, ...args: readonly string[]) => {
    const file = 'RTMP_PORT' in more ? 'dist/service/relay.js' : program
    const child = spawn(process.execPath, [file, ...args], { env: { ...env, ...more }, stdio: 'pipe' })
    track(child)
    const [words, ended] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect(ended).toEqual([code, null])
    return words
  }
  expect(await said({ ACCESS_TTL: 'soon' }, 78)).toMatch(/^ACCESS_TTL is not valid/)
  expect(await said({ DATABASE_URL: 'mysql://x' }, 78)).toMatch(/^DATABASE_URL is not valid/)
  expect(await said({ PORT: port }, 78)).toBe(
    `PORT ${port} of HOST 127.0.0.1 cannot be taken: another program listens there\n`,
  )
  expect(await said({ DATABASE_URL: `postgres://ann:secret@127.0.0.1:1/x` }, 1, 'ledger', 'check')).toMatch(
    /^The database of DATABASE_URL cannot be opened: (?!.*secret).*ECONNREFUSED/,
  )
  expect(await said({ RTMP_PORT: port }, 98)).toMatch(/^The relay does not start: .* \(RTMP_PORT/)
  expect(await said({}, 78, 'nonsense')).toMatch(/^Unknown command: nonsense/)
  taken.close()
})

test('names an unusable data folder or database when startup fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const begin = async (dir: string) => {
    const child = spawn(process.execPath, [program], {
      env: { ...env, DATA_DIR: dir },
      stdio: 'pipe',
      timeout: 100_000,
    })
    track(child)
    const [words, ended] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect(ended).toEqual([78, null])
    return words
  }
  const isDamaged = new RegExp(
    `^The database ${folder}/relaydeck\\.db of DATA_DIR cannot be used: .*\\. Restore a backup`,
  )

  writeFileSync(join(folder, 'file'), '')
  const places = [join(folder, 'file/data'), ...(process.platform === 'linux' ? ['/proc/relaydeck/data'] : [])]
  for (const dir of places)
    expect(await begin(dir)).toMatch(new RegExp(`^DATA_DIR "${dir}" cannot be used: .*\\. Set it to `))

  writeFileSync(join(folder, 'relaydeck.db'), 'no database '.repeat(1_000))
  expect(await begin(folder)).toMatch(isDamaged)
  // The schema is sound, and a page of a table is not.
  rmSync(join(folder, 'relaydeck.db'))
  const database = await openDatabase({ file: join(folder, 'relaydeck.db') })
  await migrate(database)
  await database.close()
  const bytes = readFileSync(join(folder, 'relaydeck.db'))
  writeFileSync(join(folder, 'relaydeck.db'), bytes.fill(0xff, 4_096 * 2))
  expect(await begin(folder)).toMatch(isDamaged)
})

test('continues when its output is closed', async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))

  const child = spawn(process.execPath, [program], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  track(child)
  child.stdout.destroy()
  const ended = once(child, 'exit')
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (child.exitCode === null && !(await isReady())) await wait(50)
  child.kill('SIGTERM')
  // It stopped on request; a crash would have another exit code.
  expect(await ended).toEqual([0, null])
})
