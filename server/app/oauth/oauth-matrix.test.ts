// Every operation outside the scopes of a connection is refused with the name of the scope that is missing, over the registry.
import { expect, test } from 'vitest'
import type { Operation } from '#contract/core/operation.ts'
import { appScopes, type NeededScope, type Scope, scopesAllow, scopesFor } from '#contract/core/scopes.ts'
import { operations } from '#contract/index.ts'
import { oauthScene } from '#server/testing/oauth-app.ts'
import { requestOf } from '#server/testing/request.ts'

const scene = oauthScene()

async function grantWith(scopes: readonly Scope[]): Promise<string> {
  const app = await scene.register({ scopes: [...scopes] })
  return (await scene.connect(app, scopes.join(' '))).tokens.access_token
}

async function call(op: Operation, token: string) {
  const { url, ...request } = requestOf(op, {}, { as: token })
  return scene.world.app.inject({ ...request, url: url.replace('{provider}', 'vk') })
}

/** Returns whether an answer refuses for the scope, and names it. */
const isRefused = (needed: NeededScope, { statusCode, body }: Awaited<ReturnType<typeof call>>): boolean =>
  statusCode === 403 && body.includes(needed === 'session' ? '"Forbidden"' : `"scope":"${scopesFor(needed)[0]}"`)

test('a connection without the scope of an operation gets 403, whatever it sends', async () => {
  const tokens = new Map<NeededScope, string>()
  const wrong: string[] = []
  for (const op of operations.filter(({ scope }) => scope !== 'any')) {
    const rest = appScopes.filter((scope) => !scopesFor(op.scope).includes(scope))
    const token = tokens.get(op.scope) ?? (await grantWith(rest))
    tokens.set(op.scope, token)
    const answer = await call(op, token)
    if (!isRefused(op.scope, answer)) wrong.push(`${op.id} ${answer.statusCode} ${answer.body}`)
  }
  expect(wrong).toEqual([])
  expect(tokens.size).toBeGreaterThan(12)
})

test('a connection with control reaches the operations of control surfaces and no other', async () => {
  const token = await grantWith(['control'])
  const wrong: string[] = []
  const reached: string[] = []
  for (const op of operations.filter(({ scope }) => scope !== 'any')) {
    const answer = await call(op, token)
    if (scopesAllow(['control'], op.scope)) reached.push(op.id)
    if (isRefused(op.scope, answer) === scopesAllow(['control'], op.scope))
      wrong.push(`${op.id} ${answer.statusCode} ${answer.body}`)
  }
  expect(wrong).toEqual([])
  expect(reached).toEqual(operations.filter(({ scope }) => scope.endsWith(':control')).map(({ id }) => id))
  expect(reached.filter((id) => /^(billing|tariffs|account|operator|projects)\.|keys|members/.test(id))).toEqual([])
})
