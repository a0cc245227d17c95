// Secrets of channels, encrypted in the database: the stream key, and the query of the address.
import type { Services } from '#server/core/context.ts'
import { derivedKey, seal, tryUnseal } from '#server/core/secrets.ts'

/** Secrets of a destination. Each may be empty. */
export interface ChannelSecret {
  readonly key: string
  readonly query: string
}

const keyOf = ({ config }: Pick<Services, 'config'>) => derivedKey(config.secret, 'channel')

/** Encrypts secrets for the database. */
export const sealSecret = (services: Pick<Services, 'config'>, secret: ChannelSecret): string =>
  seal(keyOf(services), JSON.stringify([secret.key, secret.query]))

/** Decrypts secrets; null when `SECRET` has changed since. */
export function unsealSecret(services: Pick<Services, 'config'>, sealed: string | null): ChannelSecret | null {
  if (sealed === null) return { key: '', query: '' }
  const text = tryUnseal(keyOf(services), sealed)
  if (text === null) return null
  const [key, query] = JSON.parse(text) as [string, string]
  return { key, query }
}
