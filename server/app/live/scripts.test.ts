// The commands of docs/scripts.md, run as they stand there.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '#server/testing/test-app.ts'

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0)

test.skipIf(!hasTools)('a script signs in, calls, and stays signed in', async () => {
  const world = await testApp()
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-scripts-'))
  onTestFinished(async () => {
    rmSync(folder, { recursive: true })
    await world.close()
  })
  const ann = await world.user()
  const { url: base } = await world.app.listen()
  const page = readFileSync('docs/scripts.md', 'utf8')
  const [, signIn = '', call = '', refresh = ''] = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block)

  const env = { ...process.env, base, email: ann.email, password: ann.password }
  const run = async (...parts: readonly string[]) =>
    (await promisify(execFile)('bash', ['-euc', parts.join('\n')], { cwd: folder, env })).stdout
  const pair = () => readFileSync(join(folder, 'pair.json'), 'utf8')

  expect(JSON.parse(await run(signIn, call)).results).toMatchObject([{ project_id: ann.projectId }])
  const first = pair()
  await run(call, refresh)
  expect(pair()).not.toBe(first)
  expect(JSON.parse(await run(call)).results).toMatchObject([{ project_id: ann.projectId }])
})
