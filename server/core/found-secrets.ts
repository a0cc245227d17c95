// Secrets that can be displayed again and found by value: stored encrypted, and as a keyed hash. The database alone
// reveals none.
import { randomBytes } from 'node:crypto'
import type { Services } from './context.ts'
import { RuleError } from './errors.ts'
import { derivedKey, keyedHash, sameText, seal, tryUnseal } from './secrets.ts'

/** Columns of a stored secret. */
export interface Stored {
  readonly key_sealed: string
  readonly key_hash: string
}

/** Functions for one kind of secret. `purpose` separates kinds: a key of one kind is invalid for another. */
export interface SecretKind {
  /** Encrypts and hashes a secret. @returns the columns of a row */
  readonly store: (services: Pick<Services, 'config'>, secret: string) => Stored
  readonly hashOf: (services: Pick<Services, 'config'>, secret: string) => string
  /** Decrypts a secret; null when `SECRET` of the service has changed since. */
  readonly read: (services: Pick<Services, 'config'>, stored: Pick<Stored, 'key_sealed'>) => string | null
  /** Decrypts a secret. @throws RuleError `KeyUnreadable` when `SECRET` of the service has changed since */
  readonly show: (services: Pick<Services, 'config'>, stored: Pick<Stored, 'key_sealed'>) => string
}

/**
 * Creates the functions for a kind of secret.
 * @example const streamKeySecrets = secretKind('stream key')
 */
export function secretKind(purpose: string): SecretKind {
  const keyTo = ({ config }: Pick<Services, 'config'>, use: string) => derivedKey(config.secret, `${purpose} ${use}`)
  const hashOf: SecretKind['hashOf'] = (services, secret) => keyedHash(keyTo(services, 'hash'), secret)
  const read: SecretKind['read'] = (services, { key_sealed }) => tryUnseal(keyTo(services, 'seal'), key_sealed)
  return {
    hashOf,
    read,
    store: (services, secret) => ({
      key_sealed: seal(keyTo(services, 'seal'), secret),
      key_hash: hashOf(services, secret),
    }),
    show(services, stored) {
      const secret = read(services, stored)
      if (secret !== null) return secret
      throw new RuleError('KeyUnreadable')
    },
  }
}

/** 128 random bits in hex: characters that every encoder, URL and shell accepts. */
export const newStreamKey = (): string => randomBytes(16).toString('hex')

/**
 * Returns whether a row found by its hash matches. The index compares hashes that only the service can compute, and this
 * comparison takes the same time with and without a row.
 */
export const isFound = (row: Stored | undefined, hash: string): row is Stored => sameText(row?.key_hash ?? blank, hash)
const blank = keyedHash(Buffer.alloc(32), '')
