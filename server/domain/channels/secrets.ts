// What must not be read in the database: the key of a channel, and the query of its address, which may hold another.
import type { Services } from '#server/core/context.ts'
import { derivedKey, seal, unseal } from '#server/core/secrets.ts'

/** The secret part of a destination; each may be empty. */
export interface ChannelSecret {
  readonly key: string
  readonly query: string
}

const keyOf = ({ config }: Pick<Services, 'config'>) => derivedKey(config.secret, 'channel')

/** Encrypts what the database keeps. */
export const sealSecret = (services: Pick<Services, 'config'>, secret: ChannelSecret): string =>
  seal(keyOf(services), JSON.stringify([secret.key, secret.query]))

/** Decrypts it. @throws when the secret of the installation has changed */
export function unsealSecret(services: Pick<Services, 'config'>, sealed: string | null): ChannelSecret {
  if (sealed === null) return { key: '', query: '' }
  const [key, query] = JSON.parse(unseal(keyOf(services), sealed)) as [string, string]
  return { key, query }
}
