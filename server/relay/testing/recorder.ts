// nginx-rtmp as the channel of a test, which reads its recording.
import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { folder, platform } from './programs.ts'

/** Makes a folder, and starts a platform whose key is `one`. They end with the test, also when it fails. */
export async function recorder() {
  const dir = folder()
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const nginx = await platform()
  onTestFinished(() => nginx.stop())
  const target = { protocol: 'rtmp', host: '127.0.0.1', port: nginx.port, app: 'live', key: 'one' } as const
  return { dir, nginx, target }
}
