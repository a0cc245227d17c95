// Storage of the authorization server: clients are apps, grants are token families, the rest are sealed records.
import type { Adapter, AdapterConstructor, AdapterPayload, errors as Errors } from 'oidc-provider'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { isOverLimit } from '#server/core/limits.ts'
import { derivedKey, hashOf, seal, tryUnseal } from '#server/core/secrets.ts'
import { transaction } from '#server/db/transaction.ts'
import { endFamilies } from '#server/domain/account/families.ts'
import {
  findRecord,
  removeRecord,
  removeRecordsOfGrant,
  updateRecordConsumed,
  upsertRecord,
} from '#server/domain/projects/app-records-store.ts'
import { type ClientRow, findClient, findGrant } from '#server/domain/projects/apps-store.ts'
import { grantable, identityScopes } from './scopes.ts'

/** Polls of a device code a minute. The usual interval of 5 seconds (RFC 8628, 3.2) makes 12. */
const pollsPerMinute = 15

/** Returns the adapter class of the library. @param errors of the library, which loads later than this file */
export function adapterOf(services: Services, errors: typeof Errors): AdapterConstructor {
  const { db, clock } = services
  const key = derivedKey(services.config.secret, 'app records')
  const now = () => iso(clock.now())

  return class implements Adapter {
    readonly #kind: string
    constructor(kind: string) {
      this.#kind = kind
    }

    async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
      await upsertRecord(db, {
        kind: this.#kind,
        hash: hashOf(id),
        sealed: seal(key, JSON.stringify(payload)),
        grant_hash: payload.grantId === undefined ? null : hashOf(payload.grantId),
        uid_hash: payload.uid === undefined ? null : hashOf(payload.uid),
        scopes: this.#kind === 'AccessToken' ? grantable(payload.scope ?? '').join(' ') : null,
        user_code_hash: payload.userCode === undefined ? null : hashOf(payload.userCode),
        date_expire: iso(later(clock.now(), expiresIn * 1000)),
        date_consume: payload.consumed === undefined ? null : now(),
      })
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      if (this.#kind === 'Client') {
        const row = await findClient(db, id)
        return row && metadataOf(row)
      }
      // Ended grants and those of former members are unknown to the library.
      if (this.#kind === 'Grant' && !(await findGrant(db, hashOf(id), now()))) return undefined
      const record = await this.#read('hash', id)
      // Polling alone finds device codes by their id.
      if (record && this.#kind === 'DeviceCode' && isOverLimit(services.limits, `device ${hashOf(id)}`, pollsPerMinute))
        throw new errors.SlowDown()
      return record
    }

    findByUid = (uid: string): Promise<AdapterPayload | undefined> => this.#read('uid_hash', uid)
    findByUserCode = (code: string): Promise<AdapterPayload | undefined> => this.#read('user_code_hash', code)

    /** Of concurrent calls one succeeds; the others end the grant, as a repeated use does. */
    async consume(id: string): Promise<void> {
      if (await updateRecordConsumed(db, this.#kind, hashOf(id), now())) return
      const grantId = (await this.#read('hash', id))?.grantId
      if (grantId !== undefined) await endGrant(services, hashOf(grantId))
      throw new errors.InvalidGrant('already used')
    }

    async destroy(id: string): Promise<void> {
      if (this.#kind === 'Grant') await endGrant(services, hashOf(id))
      await removeRecord(db, this.#kind, hashOf(id))
    }

    revokeByGrantId = (grantId: string): Promise<void> => removeRecordsOfGrant(db, this.#kind, hashOf(grantId))

    async #read(column: 'hash' | 'uid_hash' | 'user_code_hash', text: string): Promise<AdapterPayload | undefined> {
      const row = await findRecord(db, this.#kind, column, hashOf(text), now())
      const content = row && tryUnseal(key, row.sealed)
      if (!content) return undefined
      const consumed = row.date_consume === null ? {} : { consumed: Math.floor(Date.parse(row.date_consume) / 1000) }
      return { ...(JSON.parse(content) as AdapterPayload), ...consumed }
    }
  }
}

async function endGrant(services: Services, hash: string): Promise<void> {
  await transaction(services.db, async (trx) => {
    const grant = await findGrant(trx, hash, iso(services.clock.now()))
    if (grant) await endFamilies(services, trx, [grant.family_id], 'closed')
  })
  services.realtime.recheck()
}

/** Returns an app as the library knows clients. The secret is its hash, see `compareClientSecret`. */
function metadataOf(row: ClientRow): AdapterPayload {
  const uris = JSON.parse(row.redirect_uris) as string[]
  const isWeb = uris.every((uri) => uri.startsWith('https:'))
  return {
    client_id: row.client_id,
    client_name: row.name,
    client_uri: row.website,
    application_type: isWeb ? 'web' : 'native',
    redirect_uris: uris,
    scope: [...identityScopes, row.scopes].join(' '),
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code'],
    ...(row.secret_hash === null
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_post', client_secret: row.secret_hash }),
  }
}
