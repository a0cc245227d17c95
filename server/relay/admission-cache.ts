// Cache of admitted encoders while their projects are on air: an encoder can reconnect while the service is unreachable.
import { randomBytes } from 'node:crypto'
import { hashOf, seal, unseal } from '#server/core/secrets.ts'

interface Grant {
  readonly projectId: number
}

interface Entry<G> {
  readonly grant: G
  readonly keyHash: string
  /** Stream key of an encoder that encrypts by it, which a hash cannot verify; null for plain keys. */
  readonly sealedKey: string | null
}

/** Stores stream keys as hashes, or sealed if the encoder encrypts by them. No plain key stays in memory. */
export class AdmissionCache<G extends Grant> {
  readonly #sealing = randomBytes(32)
  readonly #entries = new Map<number, Entry<G>>()

  /** Adds an encoder that the service admitted. @param isEncrypted the encoder encrypts by the key and did not send it */
  add(grant: G, key: string, isEncrypted: boolean): void {
    const [keyHash, known] = [hashOf(key), this.#entries.get(grant.projectId)]
    // One of two encoders with a key may encrypt by it.
    const before = known?.keyHash === keyHash ? known.sealedKey : null
    const sealedKey = isEncrypted ? seal(this.#sealing, key) : before
    this.#entries.set(grant.projectId, { grant, keyHash, sealedKey })
  }

  /** Replaces the grant of a cached project. */
  update(grant: G): void {
    const entry = this.#entries.get(grant.projectId)
    if (entry) this.#entries.set(grant.projectId, { ...entry, grant })
  }

  /** Returns the grant for a stream key, or null. */
  byKey(key: string): G | null {
    const hash = hashOf(key)
    return [...this.#entries.values()].find((entry) => entry.keyHash === hash)?.grant ?? null
  }

  /** Returns the key that the encoder of a project encrypts by, or null. */
  keyOf(projectId: number): string | null {
    const sealedKey = this.#entries.get(projectId)?.sealedKey ?? null
    return sealedKey === null ? null : unseal(this.#sealing, sealedKey)
  }

  /** Removes the entry of a key that the service refused. */
  refuse(key: string): void {
    const grant = this.byKey(key)
    if (grant) this.forget(grant.projectId)
  }

  /** Removes a project. */
  forget(projectId: number): void {
    this.#entries.delete(projectId)
  }

  /** Removes all other projects: an admitted encoder may have left before its project was on air. @param projects projects on air */
  keep(projects: readonly number[]): void {
    for (const id of this.#entries.keys()) if (!projects.includes(id)) this.forget(id)
  }
}
