// The service and the doubles of platforms in which every published operation succeeds, and the calls of all of them.
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { operations } from '#contract/index.ts'
import { factsOf } from '#contract/published-facts.ts'
import { type Cast, newScene, newUsers } from './access-scene.ts'
import { moreTranscoders } from './channels.ts'
import { contentFolder, somePng, somePolicy, somePost } from './content.ts'
import { report, someNode } from './nodes.ts'
import { registeredAt } from './providers/connected.ts'
import { platformDouble } from './providers/double.ts'
import { trovoDouble, twitchDouble, youtubeDouble } from './providers/platforms.ts'
import { okDouble, vkDouble, vkVideoLiveDouble } from './providers/platforms-vk.ts'
import { SocialLogins } from './providers/social-logins.ts'
import { telegramDouble, withBot } from './providers/telegram.ts'
import type { PublishedCalls } from './published-calls.ts'
import { scenes } from './published-scenes.ts'
import { testApp, type World } from './test-app.ts'

/** Operations that a published description has, and that are served. */
export const published = operations.filter((op) => factsOf(op))

const services = [youtubeDouble, twitchDouble, trovoDouble, vkVideoLiveDouble, vkDouble, okDouble]

/** Calls every published operation in a situation in which it succeeds. @param change variables of the service */
export async function callEverything(calls: PublishedCalls, change: Readonly<Record<string, string>> = {}) {
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
    ...change,
  })
  const socialLogins = await SocialLogins.start()
  try {
    await report(world.services)
    await report(world.services, { node: 'ams-1', city: 'Amsterdam', pull: { rtmp: someNode.pull.rtmp } })
    for (const { run } of scenes) await run({ calls, world, socialLogins, telegram })
    await callTheRest(calls, world)
  } finally {
    await Promise.all([world.close(), socialLogins.close(), double.close()])
  }
}

async function callTheRest(calls: PublishedCalls, world: World): Promise<void> {
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
