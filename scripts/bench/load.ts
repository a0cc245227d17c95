// Requests per second and latency of the real service, beside a bare Fastify handler that answers the same bytes, and
// beside the floor of what keeping data costs (bare-server.ts).
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import autocannon, { type LoadRequest, type LoadResult } from 'autocannon'
import { track } from '#scripts/house/step.ts'
import { median, type Row } from './table.ts'

const connections = 10
const warmUpSeconds = 1
const seconds = 3
/** The middle one of several rounds, each of all three: one round on a shared machine says little. */
const rounds = 3

interface Program {
  readonly url: string
  readonly pid: number
}

interface Case extends Program {
  readonly what: string
  readonly request: LoadRequest
  /** What the bare handler is asked, where that must not be the same. */
  readonly peerRequest?: LoadRequest
  /** What the service answers to one such request. */
  readonly answer: string
  /** The least share: what the bare handler spends on a call, in terms of what the service spends. */
  readonly goal: number
}

interface Measured extends LoadResult {
  /** Processor time of one call, in microseconds; null where the system does not tell (`/proc` is Linux). */
  readonly cpu: number | null
}

async function measure({ url, pid }: Program, request: LoadRequest): Promise<Measured> {
  await autocannon({ url, connections, duration: warmUpSeconds, requests: [request] })
  const before = cpuOf(pid)
  const result = await autocannon({ url, connections, duration: seconds, requests: [request] })
  const spent = (cpuOf(pid) ?? Number.NaN) - (before ?? Number.NaN)
  return { ...result, cpu: Number.isNaN(spent) ? null : spent / result.requests.total }
}

const tickUs = 10_000

/** Processor time that a process has used, in microseconds. */
function cpuOf(pid: number): number | null {
  try {
    // Fields 14 and 15: user and system time; the second field may hold blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * tickUs
  } catch {
    return null
  }
}

/** The bare handler, in a process of its own. */
async function bare(answer: string): Promise<Program & { stop: () => void }> {
  const child = track(
    spawn(process.execPath, ['scripts/bench/bare-server.ts', answer], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const [address] = child.stdout ? await once(child.stdout, 'data') : []
  return { url: String(address).trim(), pid: child.pid ?? 0, stop: () => void child.kill() }
}

const rate = (result: Measured): string =>
  `${Math.round(result.requests.average)} /s${result.cpu === null ? '' : `, ${Math.round(result.cpu)} µs`}, p50 ${result.latency.p50} ms, p99 ${result.latency.p99} ms`

/** One line of the table for one operation. Answers other than 2xx would make the figure worthless: they are a miss. */
export async function load({ what, url, pid, request, peerRequest = request, answer, goal }: Case): Promise<Row> {
  const peer = await bare(answer)
  try {
    const all = []
    for (let round = 0; round < rounds; round++) {
      const beside = await measure(peer, { ...peerRequest, path: '/bare' })
      const floor = await measure(peer, { ...peerRequest, path: '/floor' })
      const ours = await measure({ url, pid }, request)
      const shareOf = (result: Measured): number => (beside.cpu ?? Number.NaN) / (result.cpu ?? Number.NaN)
      const byRate = ours.requests.average / beside.requests.average
      const share = ours.cpu === null ? byRate : shareOf(ours)
      all.push({ ours, beside, share, byRate, floor: shareOf(floor) })
    }
    const middle = all.toSorted((a, b) => a.share - b.share)[Math.floor(rounds / 2)]
    if (!middle) throw new Error('Nothing was measured')
    const { ours, beside, share, byRate } = middle
    const bad = all.reduce((sum, round) => sum + round.ours.non2xx + round.ours.errors + round.ours.timeouts, 0)
    const floor = median(all.map((round) => round.floor))
    const alone = `one ${peerRequest.method ? 'transaction' : 'read'} alone ${floor.toFixed(2)}`
    return {
      what,
      value: `${rate(ours)}${bad > 0 ? `, ${bad} refused` : ''}`,
      beside: `${rate(beside)} (share by processor time ${share.toFixed(2)}, by rate ${byRate.toFixed(2)}; ${alone})`,
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
