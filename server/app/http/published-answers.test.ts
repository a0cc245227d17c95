// Every served operation, called with the parameters that a published description requires and no others, gives a response
// of the published shape. Exceptions and their reasons: contract/published-exceptions.ts.
import { beforeAll, expect, test } from 'vitest'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { operations } from '#contract/index.ts'
import { exceptionOf } from '#contract/published-answers.ts'
import { exceptions, neverSent } from '#contract/published-exceptions.ts'
import { factsOf } from '#contract/published-facts.ts'
import { type Cast, newScene, newUsers } from '#server/testing/access-scene.ts'
import { moreTranscoders } from '#server/testing/channels.ts'
import { contentFolder, somePng, somePolicy, somePost } from '#server/testing/content.ts'
import { report, someNode } from '#server/testing/nodes.ts'
import { registeredAt } from '#server/testing/providers/connected.ts'
import { platformDouble } from '#server/testing/providers/double.ts'
import { SocialLogins } from '#server/testing/providers/social-logins.ts'
import { trovoDouble, twitchDouble, youtubeDouble } from '#server/testing/providers/platforms.ts'
import { okDouble, vkDouble, vkVideoLiveDouble } from '#server/testing/providers/platforms-vk.ts'
import { telegramDouble, withBot } from '#server/testing/providers/telegram.ts'
import { PublishedCalls } from '#server/testing/published-calls.ts'
import { scenes } from '#server/testing/published-scenes.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

const published = operations.filter((op) => factsOf(op))
const calls = new PublishedCalls()
const services = [youtubeDouble, twitchDouble, trovoDouble, vkVideoLiveDouble, vkDouble, okDouble]

beforeAll(async () => {
  const telegram = telegramDouble()
  const double = await platformDouble([...services, telegram.platform])
  for (const token of ['access-1', 'access-2', '123:bot']) double.tokens.add(token)
  const world = await testApp({
    ALLOW_PRIVATE_DESTINATIONS: 'on',
    INVOICE_DETAILS: 'IBAN',
    CONTENT_DIR: contentFolder({
      'blog/en/first.md': somePost,
      'blog/en/dot.png': somePng,
      'policies/en/refund.md': somePolicy,
    }),
    ...registeredAt(double.base),
    ...withBot,
  })
  const socialLogins = await SocialLogins.start()
  try {
    await report(world.services)
    await report(world.services, { node: 'ams-1', city: 'Amsterdam', pull: { rtmp: someNode.pull.rtmp } })
    for (const { run } of scenes) await run({ calls, world, socialLogins, telegram })
    await callTheRest(world)
  } finally {
    await Promise.all([world.close(), socialLogins.close(), double.close()])
  }
})

async function callTheRest(world: World): Promise<void> {
  const cast: Cast = { ...(await newUsers(world)), ended: '' }
  const rest = published.filter((op) => !scenes.some(({ ops }) => ops.includes(op)))
  const shared = await newScene(world, cast, 1)
  for (const [at, op] of rest.entries()) {
    const { tokens, values } = op.kind === 'read' ? shared : await newScene(world, cast, at + 2)
    // Adds one transcoder for each snapshot.
    if (op === transcoders.add) {
      const owner = { ...cast.owner, accessToken: tokens.owner ?? '', projectId: Number(values('owner')['project_id']) }
      await moreTranscoders(world, owner, 5)
    }
    await calls.call(world, op, { region: someNode.city, ...values('owner') }, { as: tokens.owner })
  }
}

test('every operation was called', () => {
  expect(published.filter((op) => !calls.wasCalled(op)).map(({ id }) => id)).toEqual([])
})

/** Operations of plans and billing, for the name of their check. */
const isMoney = (id: string) => /^(billing|tariffs)\./.test(id)
const named = published.map((op) => [isMoney(op.id) ? `billing check 3: ${op.id}` : op.id, op] as const)

test.each(named)('%s answers as published, but for its exceptions', (_name, op) => {
  const { id } = op
  const known = Object.keys(exceptions[id] ?? {})
  const found = calls.deviationsOf(op).map((one) => exceptionOf(op, one) ?? one)
  expect([...new Set(found)].toSorted()).toEqual(known.toSorted())
  expect(calls.emptyOf(op)).toEqual(Object.keys(neverSent[id] ?? {}).toSorted())
})

test('exceptions name operations that exist', () => {
  const ids = new Set(published.map(({ id }) => id))
  expect(Object.keys({ ...exceptions, ...neverSent }).filter((id) => !ids.has(id))).toEqual([])
})
