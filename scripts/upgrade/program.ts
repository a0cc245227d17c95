// Runs an upgrade or a rollback on the machine of a test, in a process that the test kills.
import { join } from 'node:path'
import { lockFile } from '#server/core/lock-file.ts'
import type { Machine } from '#server/app/ops/upgrade/machine.ts'
import { placeIn } from '#server/app/ops/upgrade/place.ts'
import { runRollback, runUpgrade } from '#server/app/ops/upgrade/commands.ts'
import { UpgradeError } from '#server/app/ops/upgrade/upgrade-error.ts'

const [opt = '', data = '', address = '', command = '', ...words] = process.argv.slice(2)

async function call<T>(name: string, version = ''): Promise<T> {
  return (await (await fetch(`${address}/${name}/${version}`)).json()) as T
}

const machine: Machine = {
  async hold() {
    const release = lockFile(join(data, 'upgrade.lock'), 60_000)
    if (!release) throw new Error('The lock is taken')
    await call('restart')
    return release
  },
  restart: () => call('restart'),
  stateOf: (version) => call('stateOf', version),
  writeUnits: (version) => call('writeUnits', version),
  relays: () => call('relays'),
  startRelay: (version) => call('startRelay', version),
  isRelayConnected: (version) => call('isRelayConnected', version),
  drainRelay: (version) => call('drainRelay', version),
  stopRelay: (version) => call('stopRelay', version),
  used: async () => new Set(await call<string[]>('used')),
}
const say = (line: string) => void process.stdout.write(`${line}\n`)
const work = { place: placeIn(opt), machine, say, readyMs: Number(process.env['READY_MS'] ?? 60_000), relayMs: 3_000 }

try {
  await (command === 'rollback' ? runRollback : runUpgrade)(work, words)
} catch (error) {
  process.stderr.write(error instanceof UpgradeError ? `${error.message}\n` : String((error as Error).stack))
  process.exitCode = error instanceof UpgradeError ? 1 : 70
}
