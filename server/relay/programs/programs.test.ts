import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folder, hasPrograms } from '#server/relay/testing/programs.ts'
import { until } from '#server/relay/testing/rig.ts'
import { openPrograms, type Programs } from './programs.ts'

let dir: string
let programs: Programs | undefined

beforeEach(() => {
  dir = folder()
})
afterEach(async () => {
  await programs?.close()
  rmSync(dir, { recursive: true })
})

/** Program in place of ffmpeg. */
function script(text: string): string {
  const file = join(dir, 'program')
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
  return file
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

test.skipIf(!hasPrograms)('detects the features of ffmpeg', async () => {
  programs = openPrograms('ffmpeg')
  expect(await programs.ffmpeg).toMatchObject({ version: expect.stringMatching(/^\S+$/), x264: true })
})

test.each(['', '/nowhere/ffmpeg'])('reports a missing ffmpeg for "%s"', async (command) => {
  programs = openPrograms(command)
  expect(await programs.ffmpeg).toBe(null)
})

test('ends a program that is missing, exceeds its timeout or writes too much', async () => {
  programs = openPrograms('/nowhere/ffmpeg')
  expect(await programs.run({ args: [] })).toMatchObject({ code: null, said: expect.stringContaining('ENOENT') })
  programs = openPrograms(script('exec sleep 60'))
  expect(await programs.run({ args: [], timeoutMs: 50 })).toMatchObject({ code: null })
  programs = openPrograms(script('exec cat /dev/zero'))
  expect((await programs.run({ args: [], keepOut: 1000 })).out.length).toBeLessThanOrEqual(1000)
})

test('reports a program that cannot be started as ended, and retries without throwing', async () => {
  // Node throws if it cannot start a process at all, for example without memory.
  programs = openPrograms('no\0program')
  expect(await programs.ffmpeg).toBe(null)
  expect(await programs.run({ args: [] }, Buffer.from('in'))).toMatchObject({ code: null, out: Buffer.alloc(0) })
  let attached = 0
  const kept = programs.keep({ args: [], attach: () => (attached++, () => void attached--) })
  await until(() => kept.state().starts === 2)
  await until(() => kept.state().failure !== null && attached === 0)
})

test('passes input on, and neither secrets nor the node’s environment appear in the output', async () => {
  process.env['RELAY_TOKEN'] = 'token-of-the-node'
  programs = openPrograms(script('cat; env >&2; echo "rtmp://user:pw@host/live/key-one: no, key-two" >&2; exit 3'))
  const { code, out, said } = await programs.run({ args: [], keepOut: 100, secrets: ['key-two'] }, Buffer.from('in'))
  delete process.env['RELAY_TOKEN']
  expect([code, out.toString()]).toEqual([3, 'in'])
  expect(said).toContain('rtmp://host/…')
  expect(said).not.toMatch(/key-one|key-two|pw|token-of-the-node/)
})

test('restarts a kept program when it ends or is killed, and not after it was stopped', async () => {
  programs = openPrograms(script('echo here $$; exec cat'))
  let pid = 0
  const kept = programs.keep({
    args: [],
    attach({ stdout }) {
      stdout.on('data', (text: Buffer) => (pid = Number(text.toString().split(' ')[1])))
      return () => (pid = 0)
    },
  })
  await until(() => pid > 0)
  process.kill(pid, 'SIGKILL')
  await until(() => !kept.state().running)
  expect(kept.state()).toMatchObject({ starts: 1, failure: expect.any(String), nextRetry: expect.any(Number) })
  await until(() => kept.state().running && pid > 0)
  const last = pid
  await kept.stop()
  expect(kept.state()).toMatchObject({ running: false, starts: 2, nextRetry: null })
  expect(isAlive(last)).toBe(false)
})

const keep = `keep({ args: ['go'], attach: () => () => {} })`
test.each([
  ['reads a stream', 'exec cat', keep],
  ['writes a file', 'exec sleep 600', `run({ args: ['go'], writesFile: true })`],
  ['has limits', 'exec sleep 600', `run({ args: ['go'], limits: { memory: 2 ** 32, file: 2 ** 20 } })`],
])('leaves no program that %s running after the node is killed', async (_, text, call) => {
  const file = join(dir, 'node.ts')
  const pidFile = join(dir, 'pid')
  const command = script(`[ "$1" = go ] || exit 0; echo $$ > ${pidFile}; ${text}`)
  const from = new URL('programs.ts', import.meta.url).href
  writeFileSync(
    file,
    `import { openPrograms } from '${from}'\nvoid openPrograms('${command}').${call}\nsetInterval(() => {}, 1000)`,
  )
  const node = spawn(process.execPath, [file], { stdio: 'inherit' })
  const found = await until(() => existsSync(pidFile) && /^\d+\n/.exec(readFileSync(pidFile, 'utf8')))
  const pid = Number(found[0])
  expect(isAlive(pid)).toBe(true)
  node.kill('SIGKILL')
  expect(await until(() => !isAlive(pid))).toBe(true)
})

test('has the code, the output and the end of a program that writes a file', async () => {
  programs = openPrograms(script('echo here; ls /proc/$$/fd >&2; exit 3'))
  const { code, out, said } = await programs.run({ args: [], keepOut: 100, writesFile: true })
  expect([code, out.toString(), said.split('\n').includes('3')]).toEqual([3, 'here\n', false])
})
