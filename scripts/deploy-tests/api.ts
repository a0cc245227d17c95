// Calls of the API by scenarios.
import type { Input, Operation, Output } from '#contract/core/operation.ts'
import { requestOf } from '#server/testing/test-app.ts'

/** Calls an operation. @throws for any response other than a success */
export type Api = <O extends Operation>(op: O, input: Input<O>) => Promise<Output<O>>

/** Returns the calls of a user at a service. @param url origin of the service @param token access token */
export const callerOf =
  (url: string, token: string): Api =>
  async (op, input) => {
    const { method, url: path, headers, query, payload } = requestOf(op, input, { as: token })
    const search = query ? `?${new URLSearchParams(query as Record<string, string>).toString()}` : ''
    const json = payload ? { body: JSON.stringify(payload) } : {}
    const type = payload ? { 'content-type': 'application/json' } : {}
    const answer = await fetch(url + path + search, { method, headers: { ...headers, ...type }, ...json })
    if (!answer.ok) throw new Error(`${op.id} answered ${answer.status}: ${await answer.text()}`)
    return JSON.parse(await answer.text())
  }
