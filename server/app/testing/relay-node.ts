// A project on air at the service of a test, by a node in the same process.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { NodeOptions } from '#server/relay/node-options.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { derivedKey } from '#server/core/secrets.ts'
import { type RelayNode, startNode } from '#server/relay/node.ts'
import { type Encoder, encode, quick, handMadeSilentMs } from '#server/relay/testing/encoder.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

/** The token of nodes of a test's service. */
export const relayToken = ({ services }: World): string =>
  derivedKey(services.config.secret, 'relay node').toString('base64url')

/** Starts a node at a service that listens. @param url of the service */
export const nodeOf = (world: World, url: string, options: Partial<NodeOptions> = {}): Promise<RelayNode> =>
  startNode({
    service: `${url.replace('http', 'ws')}/relay`,
    token: relayToken(world),
    about: { node: 'here', city: 'Berlin', country: 'DE', lat: 52.5, long: 13.4, host: '127.0.0.1', pingHost: '' },
    listen: { host: '127.0.0.1', port: 0 },
    ffmpeg: '',
    graceMs: 300,
    silentMs: handMadeSilentMs,
    timing: quick,
    dial: { allowPrivateDestinations: true },
    owned: false,
    onQuit: () => undefined,
    log: () => undefined,
    ...options,
  })

/** Starts a service at the time of this machine, with a user and a node that records. @param env of the service */
export async function recordingWorld(env: Readonly<Record<string, string>>) {
  const world = await testApp(env)
  world.clock.set(new Date())
  const ann = await world.user()
  const { url } = await world.app.listen()
  const folder = join(world.dataDir, 'recordings')
  mkdirSync(folder)
  return { world, ann, url, node: await nodeOf(world, url, { recordings: folder }) }
}

/** An encoder that was let in with a person's key: as soon as the node has found the service. */
export async function encoderOf(world: World, person: Person, node: Pick<RelayNode, 'port'>): Promise<Encoder> {
  const { key } = (await world.api(streamKeys.get, { project_id: person.projectId }, { as: person })).body
  for (let left = 600; left > 0; left--) {
    const encoder = encode(node.port, key)
    if ((await encoder.outcome) === 'live') return encoder
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The encoder was not let in')
}

/** A person stops the broadcast that is on air, or soon is. The encoder stays connected. */
export async function stopOnAir(world: World, person: Person): Promise<void> {
  const project = { project_id: person.projectId }
  const broadcast_id = await eventually(async () => {
    const { body } = await world.api(broadcasts.status, project, { as: person })
    return body.kind === 'live' && body.broadcast_id
  })
  await world.api(broadcasts.stop, { ...project, broadcast_id }, { as: person })
}
