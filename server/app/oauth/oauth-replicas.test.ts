// Third-party apps on two replicas: what one has given out is used, and replayed, at the other.
import { expect, test } from 'vitest'
import { apps } from '#contract/areas/account/apps.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { back, oauthScene } from '#server/testing/oauth-app.ts'
import { eventually } from '#server/testing/eventually.ts'

// A file database has one service.
const isFile = !process.env['DATABASE_URL']
const scene = oauthScene()

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

async function twoReplicas() {
  const app = await scene.register({ is_public: false })
  const far = await scene.world.replica()
  const bases = [scene.base, (await far.listen()).url] as const
  const secrets = { client_id: app.client_id, client_secret: app.client_secret ?? '' }
  const ask = (base: string, fields: Record<string, string>) =>
    fetch(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams({ ...secrets, ...fields }) })
  const exchange = (base: string, code: string) =>
    ask(base, { grant_type: 'authorization_code', redirect_uri: back, code })
  const refresh = (base: string, refresh_token: string) => ask(base, { grant_type: 'refresh_token', refresh_token })
  const codeOf = async (): Promise<string> => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri: back,
      scope: 'openid offline_access broadcasts:read',
      prompt: 'consent',
    })
    const { url } = await scene.consent(new URL(`${scene.base}/oauth/authorize?${query.toString()}`))
    return url.searchParams.get('code') ?? ''
  }
  /** Returns the responses of a token at both replicas. */
  const statuses = (as: string) =>
    Promise.all(
      [scene.world.app, far].map(async (through) => {
        const of = { project_id: scene.ann.projectId }
        return (await scene.world.api(broadcasts.status, of, { as, through })).status
      }),
    )
  return { app, bases, exchange, refresh, codeOf, statuses }
}

const tokensOf = async (answer: Response) => (await answer.json()) as Tokens

test.skipIf(isFile)(
  'a code and a refresh token of one replica work once at the other; a replay ends all of them',
  async () => {
    const { bases, exchange, refresh, codeOf, statuses } = await twoReplicas()
    const [near, far] = bases
    const first = await tokensOf(await exchange(far, await codeOf()))
    expect(await statuses(first.access_token)).toEqual([200, 200])
    const second = await tokensOf(await refresh(near, first.refresh_token))
    expect(await statuses(second.access_token)).toEqual([200, 200])
    expect((await refresh(far, first.refresh_token)).status).toBe(400)
    expect(await statuses(second.access_token)).toEqual([401, 401])
    expect((await refresh(near, second.refresh_token)).status).toBe(400)
  },
)

test.skipIf(isFile)(
  'of uses at the same moment at both replicas one succeeds at most, and its token ends',
  async () => {
    const { bases, exchange, refresh, codeOf, statuses } = await twoReplicas()
    const race = async (use: (base: string) => Promise<Response>) => {
      const answers = await Promise.all([...bases, ...bases].map(use))
      const given = answers.filter(({ status }) => status === 200)
      expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
      expect(given.length).toBeLessThanOrEqual(1)
      for (const answer of given) {
        const { access_token } = await tokensOf(answer)
        await eventually(async () => (await statuses(access_token)).join() === '401,401')
      }
    }
    const code = await codeOf()
    await race((base) => exchange(base, code))
    const { refresh_token } = await tokensOf(await exchange(bases[0], await codeOf()))
    await race((base) => refresh(base, refresh_token))
  },
)

test.skipIf(isFile)('a disconnection at one replica ends the connection at the other', async () => {
  const { bases, exchange, refresh, codeOf, statuses } = await twoReplicas()
  const { access_token, refresh_token } = await tokensOf(await exchange(bases[1], await codeOf()))
  expect(await statuses(access_token)).toEqual([200, 200])
  const grant_id = (await scene.world.api(apps.connected, {}, { as: scene.ann })).body.results[0]?.grant_id ?? 0
  await scene.world.api(apps.disconnect, { grant_id }, { as: scene.ann })
  await eventually(async () => (await statuses(access_token)).join() === '401,401')
  expect((await refresh(bases[1], refresh_token)).status).toBe(400)
})
