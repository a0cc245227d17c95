// Published calls by a double of the makers' client libraries, with an API token, over HTTP.
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { appScopes } from '#contract/core/scopes.ts'
import type { Operation } from '#contract/core/operation.ts'
import { type Options, PublishedCalls, type Sent } from './published-calls.ts'
import { routeOf, sdkHeaders, sdkRequest, sdkRequired, sdkRoutes } from './sdk.ts'
import type { World } from './test-app.ts'

type Style = keyof typeof sdkHeaders
const styles = Object.keys(sdkHeaders) as Style[]

/** What the libraries received for an operation. */
export interface Received {
  readonly style: Style
  readonly status: number
  /** Name of a refusal. */
  readonly name: string
}

/**
 * Calls operations as the libraries do: each read with the token in every published place, each write with it in one. Operations of
 * sign-ins refuse tokens; they are then called with the access token, so that scenes continue.
 */
export class SdkCalls extends PublishedCalls {
  readonly received = new Map<string, Received[]>()
  readonly #bases = new Map<World, Promise<{ readonly url: string }>>()
  readonly #tokens = new Map<string, Promise<string>>()
  #turn = 0

  protected override parametersOf(op: Operation) {
    const required = sdkRequired(routeOf(op))
    const all = required ? [required, ...super.parametersOf(op)] : super.parametersOf(op)
    const keyOf = (names: readonly string[] | undefined) => names?.toSorted().join()
    return all.filter((names, at) => all.findIndex((other) => keyOf(other) === keyOf(names)) === at)
  }

  protected override async send(world: World, op: Operation, input: object, options: Options): Promise<Sent> {
    const route = routeOf(op)
    if (!sdkRoutes.includes(route)) return super.send(world, op, input, options)
    const { url } = await this.#listening(world)
    const session = typeof options.as === 'string' ? options.as : options.as?.accessToken
    const send = async (headers: Readonly<Record<string, string>>): Promise<Sent> => {
      const answer = await fetch(sdkRequest(url, route, input as never, { ...headers, ...options.headers }))
      return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
    }
    if (session === undefined) return send({})
    const token = await this.#tokenOf(world, session)
    this.#turn += 1
    const chosen = op.kind === 'read' ? styles : [styles[this.#turn % styles.length] ?? 'key']
    let last: Sent | undefined
    for (const style of chosen) {
      last = await send(sdkHeaders[style](token))
      const name = last.status < 400 ? '' : String(/"name":"(\w+)"/.exec(last.text)?.[1])
      this.received.set(route, [...(this.received.get(route) ?? []), { style, status: last.status, name }])
    }
    return last && last.status < 400 ? last : send(sdkHeaders.oauth(session))
  }

  #listening(world: World) {
    const listening = this.#bases.get(world) ?? world.app.listen()
    this.#bases.set(world, listening)
    return listening
  }

  #tokenOf(world: World, session: string): Promise<string> {
    const create = async () => {
      const fields = { name: 'SDK', scopes: [...appScopes] }
      const { body, error } = await world.api(apiTokens.create, fields, { as: session })
      if (error) throw new Error(error.msg)
      return body.token
    }
    const token = this.#tokens.get(session) ?? create()
    this.#tokens.set(session, token)
    return token
  }
}
