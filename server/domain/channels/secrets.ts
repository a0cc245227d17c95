// Secrets of channels, encrypted in the database: the stream key, and the query of the address.
import type { Services } from '#server/core/context.ts'
import { derivedKey, seal, unseal } from '#server/core/secrets.ts'

/** Secrets of a destination. Each may be empty. */
export interface ChannelSecret {
  readonly key: string
  readonly query: string
}

const keyOf = ({ config }: Pick<Services, 'config'>) => derivedKey(config.secret, 'channel')

/** Encrypts secrets for the database. */
export const sealSecret = (services: Pick<Services, 'config'>, secret: ChannelSecret): string =>
  seal(keyOf(services), JSON.stringify([secret.key, secret.query]))

/** Decrypts secrets. @throws when the secret of the installation has changed */
export function unsealSecret(services: Pick<Services, 'config'>, sealed: string | null): ChannelSecret {
  if (sealed === null) return { key: '', query: '' }
  const [key, query] = JSON.parse(unseal(keyOf(services), sealed)) as [string, string]
  return { key, query }
}
