// Connection checks of a release: the clock of its database, and the servers of its settings.
import * as z from 'zod/mini'
import { causeOf } from '#server/core/errors.ts'
import { pingNats } from '#server/core/bus-nats.ts'
import { createObjectStore } from '#server/core/object-store.ts'
import type { Config } from '#server/core/settings.ts'
import { placeOf } from '#server/storage/place.ts'
import { readDatabaseTime } from '#server/domain/operator/watch-store.ts'
import { openOriginal } from './backup.ts'

const answerMs = 3_000

/** Answer of the command `connections`. */
export const Connections = z.object({
  /** Clock of this machine minus that of the database, milliseconds. */
  clockMs: z.number(),
  /** Servers of the settings, by the name of the setting: null, or why it gives no answer. */
  servers: z.record(z.string(), z.nullable(z.string())),
  /** Where films are, such as `bucket https://s3.example.com/relaydeck`. */
  films: z.string(),
})
export type Connections = z.output<typeof Connections>

/** Checks the database and each configured server. @throws CopyError where the database cannot be opened */
export async function readConnections(config: Config): Promise<Connections> {
  const { kind, at } = placeOf(config)
  return { clockMs: await readClock(config), servers: await askServers(config), films: `${kind} ${at}` }
}

async function readClock(config: Config): Promise<number> {
  const original = await openOriginal(config)
  try {
    const begun = Date.now()
    const there = await readDatabaseTime(original.db)
    return (begun + Date.now()) / 2 - there
  } finally {
    await original.close()
  }
}

/** Checks each configured server. */
export async function askServers({
  natsUrl,
  centrifugo,
  s3,
}: Pick<Config, 'natsUrl' | 'centrifugo' | 's3'>): Promise<Connections['servers']> {
  const probes: Record<string, () => Promise<unknown>> = {
    ...(natsUrl === '' ? {} : { NATS_URL: () => pingNats(natsUrl, answerMs) }),
    ...(centrifugo.url === null
      ? {}
      : { CENTRIFUGO_URL: () => askCentrifugo(centrifugo.url ?? '', centrifugo.apiKey) }),
    ...(s3 === null ? {} : { S3_URL: () => createObjectStore(s3).ping() }),
  }
  const asked = Object.entries(probes).map(async ([name, probe]) => {
    const failure = await probe().then(() => null, causeOf)
    return [name, failure] as const
  })
  return Object.fromEntries(await Promise.all(asked))
}

async function askCentrifugo(url: string, key: string): Promise<void> {
  const answer = await fetch(`${url}/api/info`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: '{}',
    signal: AbortSignal.timeout(answerMs),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`It answered ${answer.status}`)
}
