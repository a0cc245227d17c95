// Files of a certificate order: the account at the authority, the wish, and the certificate itself.
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { readCertificate } from '#server/core/certificate.ts'
import type { Config } from '#server/core/settings.ts'

/** What an operator ordered. */
export interface Wish {
  readonly names: readonly string[]
  /** Address for warnings of the authority; empty: none. */
  readonly email: string
}

const Order = z.object({ names: z.array(z.string()), email: z.string(), directory: z.string() })
/** An order that succeeded, which renewals repeat. */
export type Order = z.output<typeof Order>

/** Returns the folder of the account and the order. Backups contain it. */
export const acmeFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'acme')
/** Path of the key of the account. */
export const accountFile = (config: Pick<Config, 'dataDir'>): string => join(acmeFolder(config), 'account.key')
const orderFile = (config: Pick<Config, 'dataDir'>): string => join(acmeFolder(config), 'order.json')

/** Returns the order of this installation; null: the certificate comes from elsewhere. */
export async function readOrder(config: Pick<Config, 'dataDir'>): Promise<Order | null> {
  const text = await readText(orderFile(config))
  return text === null ? null : Order.parse(JSON.parse(text))
}

export const writeOrder = (config: Pick<Config, 'dataDir'>, order: Order): Promise<void> =>
  writeWhole(orderFile(config), JSON.stringify(order))

/** Returns whether the certificate was ordered here, and a third of its life or less is left, or it cannot be read. */
export async function isRenewalDue(config: Pick<Config, 'dataDir' | 'tls'>, now: Date): Promise<boolean> {
  if (config.tls === null || (await readOrder(config)) === null) return false
  try {
    const { from, until } = readCertificate(config.tls)
    return until - now.getTime() <= (until - from) / 3
  } catch {
    return true
  }
}

/** Returns the content of a file; null: there is none. */
export const readText = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

/** Replaces a file in one step: written beside, synced, renamed. Its owner alone can read it. */
export async function writeWhole(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o750 })
  const beside = `${file}.${process.pid}.new`
  try {
    const handle = await open(beside, 'w', 0o600)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}
