// Project with 1,000 channels and 200 members: p99 of its responses in relation to p50.
import { join } from 'node:path'
import { channels } from '#contract/areas/channels/channels.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Operation } from '#contract/core/operation.ts'
import type { Person } from '#e2e/fixtures/person.ts'
import { readConfig, settingsOf } from '#server/app/settings.ts'
import { systemClock } from '#server/core/clock.ts'
import { openDatabase } from '#server/db/open.ts'
import { fillProject } from '#server/testing/crowd.ts'
import type { Service } from './service.ts'
import type { Row } from './table.ts'

const counts = { channels: 1000, members: 200 }
const connections = 4
const calls = 1500
const warmUp = 300
/** Upper limit of p99 / p50. */
const goal = 5

/** Fills a user's project, and measures the lists and one channel. */
export async function measureCrowd({ url, data }: Service, { projectId, accessToken }: Person): Promise<Row[]> {
  const { db, close } = await openDatabase({ file: join(data, 'relaydeck.db') })
  await fillProject({ db, clock: systemClock, config: settingsOf(readConfig({ DATA_DIR: data })) }, projectId, counts)
  await close()
  const ask = async (op: Operation, more: object = {}): Promise<Response> => {
    const query = new URLSearchParams(
      Object.entries({ project_id: projectId, ...more }).map(([k, v]) => [k, String(v)]),
    )
    return fetch(`${url}${op.path}?${query}`, { headers: { authorization: `oauth ${accessToken}` } })
  }
  const list = (await (await ask(channels.short)).json()) as { results: { channel_id: number }[] }
  const one = list.results.at(-1)?.channel_id
  return [
    await row('channel/search, 30 of 1,000', url, () => ask(channels.search)),
    await row('channel/search, 100 of 1,000, the last page', url, () =>
      ask(channels.search, { limit: 100, offset: 900 }),
    ),
    await row('channel/search by name', url, () => ask(channels.search, { name: 'nel 99' })),
    await row('channel/short, 1,000', url, () => ask(channels.short)),
    await row('channel/get', url, () => ask(channels.get, { channel_id: one })),
    await row('project/user/list, 200', url, () => ask(projects.members)),
  ]
}

/** Ratio of p99 to p50, and both values. */
function spread(times: readonly number[]): { readonly ratio: number; readonly text: string } {
  const sorted = times.toSorted((a, b) => a - b)
  const [p50 = Number.NaN, p99 = Number.NaN] = [0.5, 0.99].map((share) => sorted[Math.floor(sorted.length * share)])
  return { ratio: p99 / p50, text: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms` }
}
const times = (ratio: number): string => `p99 is ${ratio.toFixed(1)} × p50`

/** Measures concurrent callers; an idle request in between shows how steady the machine is. */
async function row(what: string, url: string, call: () => Promise<Response>): Promise<Row> {
  let refused = 0
  let [ours, nothing]: [number[], number[]] = [[], []]
  async function timed(into: number[], ask: () => Promise<Response>): Promise<void> {
    const since = performance.now()
    const answer = await ask()
    await answer.arrayBuffer()
    into.push(performance.now() - since)
    if (!answer.ok) refused++
  }
  async function run(count: number): Promise<void> {
    for (let done = 0; done < count; done++) {
      await timed(ours, call)
      await timed(nothing, () => fetch(`${url}/healthz`))
    }
  }
  const all = (count: number) => Promise.all(Array.from({ length: connections }, () => run(count / connections)))
  await all(warmUp)
  ;[ours, nothing] = [[], []]
  await all(calls)
  const { ratio, text } = spread(ours)
  return {
    what,
    value: `${text}${refused > 0 ? `, ${refused} refused` : ''}`,
    beside: `${times(ratio)} (healthz ${times(spread(nothing).ratio)})`,
    goal: `< ${goal} × p50`,
    pass: ratio < goal && refused === 0,
  }
}
