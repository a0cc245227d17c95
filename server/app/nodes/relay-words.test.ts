// Encoder names are stored and shown with any content: a name that fails would close the node's connection repeatedly.
import { chunkStream } from '#server/relay/rtmp/message.ts'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { openConnection } from '#server/relay/rtmp/connection.ts'
import { command } from '#server/relay/rtmp/messages.ts'
import { eventually } from '#server/testing/eventually.ts'
import { testApp } from '#server/testing/test-app.ts'
import { encoderOf, nodeOf } from '#server/app/testing/relay-node.ts'

test('accepts any encoder name', async () => {
  const world = await testApp()
  // Streams need the real clock.
  world.clock.set(new Date())
  const ann = await world.user()
  const bob = await world.user()
  const node = await nodeOf(world, (await world.app.listen()).url)
  onTestFinished(async () => {
    await node.close()
    await world.close()
  })
  const status = async (as: typeof ann) =>
    (await world.api(broadcasts.status, { project_id: as.projectId }, { as })).body
  // The node has connected.
  await encoderOf(world, bob, node)

  const { key } = (await world.api(streamKeys.get, { project_id: ann.projectId }, { as: ann })).body
  const flashVer = `a\u0000b\n\u202E${'😀'.repeat(60)}`
  const send = (name: string, transaction: number, object: Parameters<typeof command>[2], values: string[] = []) =>
    connection.send(command(name, transaction, object, values, name === 'publish' ? 1 : 0), chunkStream.command)
  const connection = openConnection(
    connect(node.port, '127.0.0.1'),
    'client',
    {
      onReady() {
        send('connect', 1, { app: 'live', flashVer, tcUrl: 'rtmp://127.0.0.1/live' })
        send('createStream', 2, null)
        send('publish', 3, null, [key, 'live'])
      },
      onMessage: () => undefined,
      onClose: () => undefined,
    },
    { readyMs: 10_000 },
  )
  onTestFinished(connection.destroy)
  const onAir = await eventually(async () => {
    const found = await status(ann)
    return found.kind === 'live' && found
  })
  expect(onAir && onAir.encoder).toMatch(/^ab(😀)+$/u)
  expect((await status(bob)).kind).toBe('live')
})
