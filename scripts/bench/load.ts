// Requests per second and latency of the real service, beside a bare Fastify handler that answers the same bytes, and
// beside the floor of what keeping data costs (bare-server.ts).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import autocannon, { type LoadRequest, type LoadResult } from 'autocannon'
import { track } from '#scripts/house/step.ts'
import { median, type Row } from './table.ts'

const connections = 10
const warmUpSeconds = 1
const seconds = 3
/** The middle one of several rounds, each of all three: one round on a shared machine says little. */
const rounds = 3

interface Case {
  readonly what: string
  readonly url: string
  readonly request: LoadRequest
  /** What the bare handler is asked, where that must not be the same. */
  readonly peerRequest?: LoadRequest
  /** What the service answers to one such request. */
  readonly answer: string
  /** The least share of the bare handler's rate. */
  readonly goal: number
}

async function measure(url: string, request: LoadRequest): Promise<LoadResult> {
  await autocannon({ url, connections, duration: warmUpSeconds, requests: [request] })
  return autocannon({ url, connections, duration: seconds, requests: [request] })
}

/** The bare handler, in a process of its own. */
async function bare(answer: string): Promise<{ url: string; stop: () => void }> {
  const child = track(
    spawn(process.execPath, ['scripts/bench/bare-server.ts', answer], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const [address] = child.stdout ? await once(child.stdout, 'data') : []
  return { url: String(address).trim(), stop: () => void child.kill() }
}

const rate = (result: LoadResult): string =>
  `${Math.round(result.requests.average)} /s, p50 ${result.latency.p50} ms, p99 ${result.latency.p99} ms`

/** One line of the table for one operation. Answers other than 2xx would make the figure worthless: they are a miss. */
export async function load({ what, url, request, peerRequest = request, answer, goal }: Case): Promise<Row> {
  const peer = await bare(answer)
  try {
    const all = []
    for (let round = 0; round < rounds; round++) {
      const beside = await measure(peer.url, { ...peerRequest, path: '/bare' })
      const floor = await measure(peer.url, { ...peerRequest, path: '/floor' })
      const ours = await measure(url, request)
      const shareOf = (result: LoadResult): number => result.requests.average / beside.requests.average
      all.push({ ours, beside, share: shareOf(ours), floor: shareOf(floor) })
    }
    const middle = all.toSorted((a, b) => a.share - b.share)[Math.floor(rounds / 2)]
    if (!middle) throw new Error('Nothing was measured')
    const { ours, beside, share } = middle
    const bad = all.reduce((sum, round) => sum + round.ours.non2xx + round.ours.errors + round.ours.timeouts, 0)
    const floor = median(all.map((round) => round.floor))
    return {
      what,
      value: `${rate(ours)}${bad > 0 ? `, ${bad} refused` : ''}`,
      beside: `${rate(beside)} (share ${share.toFixed(2)}; one ${peerRequest.method ? 'transaction' : 'read'} alone ${floor.toFixed(2)})`,
      goal: `share ≥ ${goal}`,
      pass: share >= goal && bad === 0,
    }
  } finally {
    peer.stop()
  }
}

/** Refreshes in chains: each answer's refresh token is the next request's, so that no token is used twice. */
export function refreshChain(tokens: string[], body: (refresh: string) => object): LoadRequest {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    setupRequest: (request) => ({ ...request, body: JSON.stringify(body(tokens.pop() ?? 'none left')) }),
    onResponse: (_status, answer) => {
      const refresh: unknown = JSON.parse(answer)?.refreshToken
      if (typeof refresh === 'string') tokens.push(refresh)
    },
  }
}
