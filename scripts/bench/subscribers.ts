// Memory of the service with 5,000 idle realtime subscribers.
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { channelName } from '#contract/events/channels.ts'
import { type Person, signUp } from '#e2e/fixtures/person.ts'
import { readConfig, settingsOf } from '#server/app/settings.ts'
import { systemClock } from '#server/core/clock.ts'
import { signOverlay } from '#server/domain/realtime/tokens.ts'
import type { Service } from './service.ts'
import { megabytes, type Row } from './table.ts'

const count = 5_000
const atOnce = 100
const memoryMax = 300_000_000

/** Connects the subscribers and measures the memory of the service with and without them. */
export async function measureSubscribers({ url, data, memory }: Service): Promise<Row> {
  const config = settingsOf(readConfig({ DATA_DIR: data }))
  // Tokens of overlays may name any broadcast: the service that signs them checks it.
  const channel = channelName('broadcast', 1)
  const tokens: string[] = []
  // A chat key has at most 100 connections.
  while (tokens.length < count / atOnce) {
    const owner = await signUp(url)
    const key = { projectId: owner.projectId, keyId: await chatKeyOf(url, owner) }
    tokens.push(signOverlay({ config, clock: systemClock }, key, channel).subscription)
  }
  const before = memory()
  const sockets: WebSocket[] = []
  for (const token of tokens)
    sockets.push(...(await Promise.all(Array.from({ length: atOnce }, () => subscribe(url, channel, token)))))
  await wait(5_000)
  const after = memory()
  const standing = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length
  for (const socket of sockets) socket.terminate()
  return {
    what: `memory of the service with ${standing} idle subscribers (RSS)`,
    value: megabytes(after),
    beside: `${megabytes(before)} before them`,
    goal: `≤ ${megabytes(memoryMax)}`,
    pass: after <= memoryMax && standing === count,
  }
}

/** Returns the id of the project's chat key, which the first read creates. */
async function chatKeyOf(url: string, { projectId, accessToken }: Person): Promise<number> {
  const get = async (path: string) =>
    (
      await fetch(`${url}/method/${path}?project_id=${projectId}`, {
        headers: { authorization: `oauth ${accessToken}` },
      })
    ).json()
  await get('chat/key')
  const { results } = (await get('chat/keys')) as { results: { id: number }[] }
  return results[0]?.id ?? 0
}

function subscribe(url: string, channel: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/connection/websocket`, { perMessageDeflate: false })
  const send = (command: object) => socket.send(JSON.stringify(command))
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code) => reject(new Error(`The service closed a line: ${code}`)))
    socket.on('open', () => {
      send({ id: 1, connect: { token } })
      send({ id: 2, subscribe: { channel, token } })
    })
    socket.on('message', (text: Buffer) => {
      const frame = text.toString('utf8')
      if (frame === '{}') socket.send('{}')
      else if (frame.includes('"subscribe"')) resolve(socket)
    })
  })
}
