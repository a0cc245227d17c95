// Words of `relaydeck upgrade` and `relaydeck rollback`.
import { parseArgs } from 'node:util'
import { rollback } from './rollback.ts'
import { upgradeSettings } from './settings.ts'
import type { Work } from './switch.ts'
import { upgrade } from './upgrade.ts'
import { UpgradeError } from './upgrade-error.ts'

const usage = {
  upgrade: 'relaydeck upgrade [--check] [--downgrade] [FILE | VERSION]',
  rollback: 'relaydeck rollback [--restore]',
} as const

/** Runs `upgrade`. @param words after the name of the command @throws UpgradeError */
export async function runUpgrade(work: Work, words: readonly string[]): Promise<void> {
  const { values, positionals } = parsed('upgrade', words, {
    check: { type: 'boolean', default: false },
    downgrade: { type: 'boolean', default: false },
  })
  await upgrade(work, {
    what: positionals[0] ?? '',
    isCheck: values['check'] === true,
    isDowngrade: values['downgrade'] === true,
    releasesUrl: upgradeSettings.releasesUrl.read(process.env),
  })
}

/** Runs `rollback`. @param words after the name of the command @throws UpgradeError */
export async function runRollback(work: Work, words: readonly string[]): Promise<void> {
  const { values } = parsed('rollback', words, { restore: { type: 'boolean', default: false } })
  await rollback(work, values['restore'] === true)
}

interface Flag {
  readonly type: 'boolean'
  readonly default: boolean
}

function parsed(command: keyof typeof usage, words: readonly string[], options: Readonly<Record<string, Flag>>) {
  try {
    const found = parseArgs({ args: [...words], options, allowPositionals: true })
    if (found.positionals.length > (command === 'upgrade' ? 1 : 0)) throw new Error('too many words')
    return found
  } catch (error) {
    throw new UpgradeError(`${(error as Error).message}. Usage: ${usage[command]}`, { cause: error })
  }
}
