// Whom the service let in, for as long as the project is on air: their encoders come back while the service is away.
import { randomBytes } from 'node:crypto'
import { hashOf, seal, unseal } from '#server/core/secrets.ts'

interface Allowed {
  readonly projectId: number
}

interface Acquaintance<A> {
  /** What the service last wanted for the project. */
  readonly allowed: A
  /** What its key is known by. */
  readonly hash: string
  /** The key where an encoder encrypts by it, which nobody can check by a hash; null where it is said. */
  readonly sealed: string | null
}

/** Keys are kept as hashes, and sealed where that is not enough: none stands in memory in plain because of this. */
export class Known<A extends Allowed> {
  readonly #key = randomBytes(32)
  readonly #all = new Map<number, Acquaintance<A>>()

  /** The service let an encoder in. @param isEncrypted the encoder did not say the key, but encrypts by it */
  letIn(allowed: A, key: string, isEncrypted: boolean): void {
    const sealed = isEncrypted ? seal(this.#key, key) : null
    this.#all.set(allowed.projectId, { allowed, hash: hashOf(key), sealed })
  }

  /** The service wants something else for a project. */
  wish(allowed: A): void {
    const one = this.#all.get(allowed.projectId)
    if (one) this.#all.set(allowed.projectId, { ...one, allowed })
  }

  /** What the service would say to an encoder with this key; null: nobody knows. */
  byKey(key: string): A | null {
    const hash = hashOf(key)
    return [...this.#all.values()].find((one) => one.hash === hash)?.allowed ?? null
  }

  /** The key that encoders of a project encrypt by; null: nobody knows. */
  keyOf(projectId: number): string | null {
    const sealed = this.#all.get(projectId)?.sealed ?? null
    return sealed === null ? null : unseal(this.#key, sealed)
  }

  /** The service knows no such key. */
  refuse(key: string): void {
    const project = this.byKey(key)
    if (project) this.forget(project.projectId)
  }

  /** The project is off air. */
  forget(projectId: number): void {
    this.#all.delete(projectId)
  }

  /** Forgets all but these: who was let in may never have begun. @param projects those on air */
  keep(projects: readonly number[]): void {
    for (const id of this.#all.keys()) if (!projects.includes(id)) this.forget(id)
  }
}
