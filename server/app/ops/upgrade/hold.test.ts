// Hold of a service, and processes by /proc.
import { once } from 'node:events'
import { mkdtempSync, readlinkSync, symlinkSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockFile } from '#server/core/lock-file.ts'
import { awaitRelease, holdService } from './hold.ts'
import { isConnectedTo, usedVersions } from './processes.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'relaydeck-hold-'))

test('a start waits for the hold and for a restore, and not without them', async () => {
  const data = folder()
  await awaitRelease(data)
  const unlock = lockFile(join(data, 'service.lock'))
  const release = await holdService(data)
  const order: string[] = []
  const waiting = awaitRelease(data).then(() => order.push('starts'))
  for (const [name, end] of [
    ['hold', release],
    ['restore', unlock],
  ] as const) {
    order.push(name)
    end?.()
  }
  await waiting
  expect(order).toEqual(['hold', 'restore', 'starts'])
})

test('follows no link out of the data folder', async () => {
  const data = folder()
  symlinkSync(join(data, 'elsewhere'), join(data, 'upgrade.lock'))
  await expect(holdService(data)).rejects.toThrow('ELOOP')
})

test.skipIf(process.platform !== 'linux')('finds releases in use and connections of a process', async () => {
  const own = readlinkSync('/proc/self/exe')
  // The folder that contains the release is two above its program.
  const versions = usedVersions({ releases: dirname(dirname(own)) })
  expect(versions).toContain(own.split('/').at(-2))
  const server = createServer()
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(isConnectedTo(process.pid, port)).toBe(false)
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  expect(isConnectedTo(process.pid, port)).toBe(true)
})
