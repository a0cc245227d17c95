// Requests per second and latency of the real service, beside a bare Fastify handler that returns the same bytes, and
// beside the minimum cost of our storage (bare-server.ts).
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import autocannon, { type LoadRequest, type LoadResult } from 'autocannon'
import { track } from '#scripts/house/step.ts'
import { median, type Row } from './table.ts'

const connections = 10
const warmUpSeconds = 1
const seconds = 3
/** Median of several rounds over all three, because single rounds vary on a shared machine. */
const rounds = 3

interface Program {
  readonly url: string
  readonly pid: number
}

interface Case extends Program {
  readonly what: string
  readonly request: LoadRequest
  /** Request to the bare handler, if it differs. */
  readonly peerRequest?: LoadRequest
  /** Response of the service to one such request. */
  readonly answer: string
  /** Minimum ratio of the bare handler's processor time per call to the service's. */
  readonly goal: number
}

interface Measured extends LoadResult {
  /** Processor time per call, microseconds; null where `/proc` is missing (it needs Linux). */
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

/** Returns the processor time of a process, microseconds. */
export function cpuOf(pid: number): number | null {
  try {
    // Fields 14 and 15: user and system time; the second field may contain blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * tickUs
  } catch {
    return null
  }
}

/** Starts the bare handler in a separate process. */
async function bare(answer: string): Promise<Program & { stop: () => void }> {
  const child = track(
    spawn(process.execPath, ['scripts/bench/bare-server.ts', answer], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const [address] = child.stdout ? await once(child.stdout, 'data') : []
  return { url: String(address).trim(), pid: child.pid ?? 0, stop: () => void child.kill() }
}

const rate = (result: Measured): string =>
  `${Math.round(result.requests.average)} /s${result.cpu === null ? '' : `, ${Math.round(result.cpu)} µs`}, p50 ${result.latency.p50} ms, p99 ${result.latency.p99} ms`

/** Adds one line of the table for one operation. Fails on responses other than 2xx, which make the figure worthless. */
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
    if (!middle) throw new Error('No round was measured')
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

/** Most processor time of a call by API token, beside the same call by access token. It may be less: there is no JWT to verify. */
const tokenShareMax = 1.05

/** Adds the line that compares a call by API token with the same call by access token. */
export async function compareTokens(
  program: Program,
  path: string,
  tokens: { readonly api: string; readonly access: string },
): Promise<Row> {
  const requestOf = (token: string): LoadRequest => ({ path, headers: { authorization: `Bearer ${token}` } })
  const shares: number[] = []
  let bad = 0
  for (let round = 0; round < rounds; round++) {
    const byAccess = await measure(program, requestOf(tokens.access))
    const byToken = await measure(program, requestOf(tokens.api))
    const byRate = byAccess.requests.average / byToken.requests.average
    shares.push(byToken.cpu === null || byAccess.cpu === null ? byRate : byToken.cpu / byAccess.cpu)
    for (const { non2xx, errors, timeouts } of [byAccess, byToken]) bad += non2xx + errors + timeouts
  }
  const share = median(shares)
  return {
    what: 'a call by API token, beside one by access token',
    value: `${share.toFixed(2)} of its processor time${bad > 0 ? `, ${bad} refused` : ''}`,
    beside: shares.map((one) => one.toFixed(2)).join(', '),
    goal: `≤ ${tokenShareMax}`,
    pass: share <= tokenShareMax && bad === 0,
  }
}

/** Refreshes in chains: each response's refresh token is the next request's, so that each token is used once. */
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
