// Secrets that are shown again and found by: stored sealed, and as a keyed hash. Somebody with the database alone can
// neither read nor guess one.
import { randomBytes } from 'node:crypto'
import type { Services } from './context.ts'
import { RuleError } from './errors.ts'
import { derivedKey, keyedHash, sameText, seal, unseal } from './secrets.ts'

/** A secret as a row keeps it. */
export interface Stored {
  readonly key_sealed: string
  readonly key_hash: string
}

/** What the secrets of one kind need. `purpose` keeps kinds apart: a key of one is nothing in another. */
export interface SecretKind {
  /** @returns the columns of a row */
  readonly store: (services: Pick<Services, 'config'>, secret: string) => Stored
  readonly hashOf: (services: Pick<Services, 'config'>, secret: string) => string
  /** @throws RuleError when the service's own secret has changed since */
  readonly show: (services: Pick<Services, 'config'>, stored: Pick<Stored, 'key_sealed'>) => string
}

/**
 * Makes the functions for secrets of a kind.
 * @example const streamKeySecrets = secretKind('stream key')
 */
export function secretKind(purpose: string): SecretKind {
  const keyTo = ({ config }: Pick<Services, 'config'>, use: string) => derivedKey(config.secret, `${purpose} ${use}`)
  const hashOf: SecretKind['hashOf'] = (services, secret) => keyedHash(keyTo(services, 'hash'), secret)
  return {
    hashOf,
    store: (services, secret) => ({
      key_sealed: seal(keyTo(services, 'seal'), secret),
      key_hash: hashOf(services, secret),
    }),
    show(services, { key_sealed }) {
      try {
        return unseal(keyTo(services, 'seal'), key_sealed)
      } catch {
        throw new RuleError(
          'KeyUnreadable',
          'The secret of the service has changed since this key was made. Replace it.',
        )
      }
    },
  }
}

/** 128 random bits in signs that every encoder, address and shell takes as they are. */
export const newStreamKey = (): string => randomBytes(16).toString('hex')

/**
 * Of a row that was found by its hash: is it the one? The index compares hashes that nobody outside can make, and what
 * is decided here takes the same time whether or not there is a row.
 */
export const isFound = (row: Stored | undefined, hash: string): row is Stored => sameText(row?.key_hash ?? blank, hash)
const blank = keyedHash(Buffer.alloc(32), '')
