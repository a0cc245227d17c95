// Calls operations as the published descriptions have them, and collects how the responses differ from the published ones.
import type { Operation } from '#contract/core/operation.ts'
import { describe } from '#contract/core/describe.ts'
import { containersOf, deviations, filled } from '#contract/published-answers.ts'
import { factsOf, requiredBy } from '#contract/published-facts.ts'
import { inputFor } from './access-scene.ts'
import type { SocialLogins } from './providers/social-logins.ts'
import type { telegramDouble } from './providers/telegram.ts'
import { type RequestOptions, requestOf } from './request.ts'
import type { World } from './test-app.ts'

type Values = object

/** Response of one call. */
export interface Sent {
  readonly status: number
  readonly text: string
  readonly location: unknown
}

export interface Options extends Pick<RequestOptions, 'as' | 'headers'> {
  /** Optional parameters. */
  readonly more?: object
}

/** Calls operations, and collects deviations of the responses from the published ones. */
export class PublishedCalls {
  readonly #called = new Set<string>()
  readonly #deviations = new Map<string, Set<string>>()
  readonly #filled = new Map<string, Set<string>>()

  /**
   * Calls an operation once per snapshot with different required parameters, with exactly those parameters.
   * @param values parameters by name; missing ones get the smallest value that the contract accepts
   * @returns the last response; for a redirect its `location`
   * @throws Error when the response is a refusal
   */
  async call<T = unknown>(world: World, op: Operation, values: Values, options: Options = {}): Promise<T> {
    const known = new Set(describe(op).parameters.map(({ name }) => name))
    let body: unknown
    for (const names of this.parametersOf(op)) {
      const ours = inputFor(op, { values: () => ({ ...values }) }, 'owner', names)
      const theirs = (names ?? []).filter((name) => !known.has(name)).map((name) => [name, 1] as const)
      const input = { ...ours, ...Object.fromEntries(theirs), ...options.more }
      const answer = await this.send(world, op, input, options)
      if (answer.status >= 400) throw new Error(`${op.id} ${JSON.stringify(input)}: ${answer.text}`)
      this.#called.add(op.id)
      if (answer.status >= 300) body = { location: answer.location }
      else if (answer.text !== '') this.#note(op, (body = JSON.parse(answer.text)))
    }
    return body as T
  }

  /** Returns the names of the parameters of each call. Undefined: those that the operation requires. */
  protected parametersOf(op: Operation): readonly (readonly string[] | undefined)[] {
    const facts = factsOf(op)
    return facts ? requiredBy(facts) : [undefined]
  }

  /** Sends one call as the contract has it. */
  protected async send(world: World, op: Operation, input: object, options: Options): Promise<Sent> {
    const request = requestOf(op, input, options)
    const answer = await world.app.inject({ ...request, url: request.url.replace('{provider}', 'twitch') })
    return { status: answer.statusCode, text: answer.body, location: answer.headers.location }
  }

  #note(op: Operation, body: unknown): void {
    const facts = factsOf(op)
    if (!facts) return
    const into = (map: Map<string, Set<string>>, found: readonly string[]) => {
      const set = map.get(op.id) ?? new Set()
      map.set(op.id, set)
      for (const one of found) set.add(one)
    }
    into(this.#deviations, deviations(body, facts))
    into(this.#filled, filled(body, facts))
  }

  /** Deviations of an operation's responses, `path: value found`. */
  deviationsOf = ({ id }: Operation): string[] => [...(this.#deviations.get(id) ?? [])].toSorted()

  /** Lists and objects of the published response that no response had content in; nested ones are left out. */
  emptyOf(op: Operation): string[] {
    const facts = factsOf(op)
    const full = this.#filled.get(op.id)
    if (!facts || !full) return []
    const empty = containersOf(facts).filter((path) => !full.has(path))
    return empty.filter((path) => !empty.some((outer) => path.startsWith(`${outer}.`)))
  }

  wasCalled = ({ id }: Operation): boolean => this.#called.has(id)
}

/** Services and doubles that scenes run against. */
export interface Stage {
  readonly calls: PublishedCalls
  /** Service that is registered at the doubles of all platforms. */
  readonly world: World
  /** Service with social login through doubles. */
  readonly socialLogins: SocialLogins
  readonly telegram: ReturnType<typeof telegramDouble>
}

/** Calls operations in a situation in which they succeed. */
export interface Scene {
  readonly ops: readonly Operation[]
  readonly run: (stage: Stage) => Promise<void>
}

/** @param ops operations that it calls */
export const scene = (ops: readonly Operation[], run: Scene['run']): Scene => ({ ops, run })
