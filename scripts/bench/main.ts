// `npm run bench`: all figures with their reference values, measured in the same run on the same machine.
// `npm run bench -- scores`: the scores of Lighthouse alone; `-- tokens`: calls by API token beside calls by access token.
import { cpus, loadavg, totalmem } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { auth } from '#contract/areas/account/auth.ts'
import { type Load, type Size, weigh, type Weight } from '#e2e/fixtures/first-view.ts'
import { call } from '#server/testing/request.ts'
import { moreSessions, type Person, signUp } from '#e2e/fixtures/person.ts'
import { ensureChromium } from '#scripts/house/chromium.ts'
import { endOnSignals, say } from '#scripts/house/step.ts'
import { paths } from '#src/lib/paths.ts'
import { type Browser, openBrowser } from './browser.ts'
import { measureChat } from './chat.ts'
import { measureChatService } from './chat-service.ts'
import { measureControlRoom } from './control-room.ts'
import { measureCrowd } from './crowd.ts'
import { floor } from './floor.ts'
import { measureSearch } from './handbook-search.ts'
import { compareTokens, load, refreshChain } from './load.ts'
import { type Service, startService } from './service.ts'
import { measureOutbox } from './notifications.ts'
import { measureScores } from './scores.ts'
import { measureSlowLine } from './slow-line.ts'
import { measureSubscribers } from './subscribers.ts'
import { kilobytes, megabytes, type Row, table } from './table.ts'

const goals = {
  startMs: 3000,
  memory: 120_000_000,
  signIn: { all: 150_000 },
  tariffs: { js: 220_000, css: 21_000 },
  search: { coldMs: 300, warmMs: 10 },
  rate: { slots: 0.15, refresh: 0.1 },
}

/** Number of refresh-token chains: more than connections, because the last responses of each run are discarded. */
const families = 120

const rows: Row[] = []

/** Adds a figure with an upper limit. */
function atMost(what: string, value: number, max: number, show: (value: number) => string, beside = ''): void {
  rows.push({ what, value: show(value), beside, goal: `≤ ${show(max)}`, pass: value <= max })
}

const ms = (value: number): string => `${Math.round(value)} ms`
const count = (value: number): string => String(value)

function requests(page: string, { first, all }: Weight): void {
  rows.push({
    what: `${page}: requests until it can be used`,
    value: String(first.requests.length),
    beside: `${all.requests.length} in all`,
  })
}

async function pages(signedOut: Browser, signedIn: Browser, { url }: Service, { projectId }: Person): Promise<void> {
  say('Page weights')
  const least = await floor()
  const stack = `stack alone ${kilobytes(least.gzip)} (br ${kilobytes(least.brotli)})`
  const br = (bytes: number): string => `br ${kilobytes(bytes)}`
  const signIn = await signedOut.inPage((page) => weigh(page, url + paths.signIn(), 'Sign in'))
  const both = ({ js, css }: Load, kind: keyof Size): number => js[kind] + css[kind]
  const inAll = (bytes: number): string => `in all ${kilobytes(bytes)}`
  const brSignIn = br(both(signIn.first, 'brotli'))
  const signInBeside = `${stack}, ${brSignIn}, ${inAll(both(signIn.all, 'gzip'))}`
  atMost('sign-in page: JS + CSS gzip', both(signIn.first, 'gzip'), goals.signIn.all, kilobytes, signInBeside)
  requests('sign-in page', signIn)

  const tariffs = await signedIn.inPage((page) => weigh(page, url + paths.tariffs(projectId), 'Yearly'))
  const { js, css } = tariffs.first
  const jsBeside = `${stack}, gzip ${kilobytes(js.gzip)}, ${inAll(tariffs.all.js.gzip)} with the realtime connection`
  atMost('tariff page: JS brotli', js.brotli, goals.tariffs.js, kilobytes, jsBeside)
  atMost('tariff page: CSS gzip', css.gzip, goals.tariffs.css, kilobytes, br(css.brotli))
  requests('tariff page', tariffs)
  atMost('requests to third parties', signIn.thirdParty.length + tariffs.thirdParty.length, 0, count)
}

/** A read, with the parameters of the bench. */
function readOf({ projectId, accessToken }: Person) {
  const query = new URLSearchParams({ v: restream.slots.version, language: 'en', project_id: String(projectId) })
  return { path: `${restream.slots.path}?${query}`, headers: { authorization: `oauth ${accessToken}` } }
}

async function tokens({ url, pid }: Service, person: Person): Promise<void> {
  say('Calls by API token, beside calls by access token')
  const created = await call(url, apiTokens.create, { name: 'Bench', scopes: ['billing:read'] }, person.accessToken)
  const both = { api: created.token, access: person.accessToken }
  rows.push(await compareTokens({ url, pid: pid() }, readOf(person).path, both))
}

async function rates(service: Service, person: Person): Promise<void> {
  const { url, pid } = service
  say('Requests per second, beside a bare Fastify handler')
  const { path, headers } = readOf(person)
  const refreshTokens = await moreSessions(url, person, families)
  const answer = await (await fetch(url + path, { headers })).text()
  const body = (refresh: string) => ({ v: auth.refreshAccess.version, language: 'en', app: 'site', refresh })
  rows.push(
    await load({
      what: 'GET plan_restream',
      url,
      pid: pid(),
      request: { path, headers },
      answer,
      goal: goals.rate.slots,
    }),
    await load({
      what: 'POST refresh-access',
      url,
      pid: pid(),
      request: { path: auth.refreshAccess.path, ...refreshChain(refreshTokens, body) },
      peerRequest: {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body(person.refreshToken)),
      },
      answer: JSON.stringify({ accessToken: person.accessToken, refreshToken: person.refreshToken }),
      goal: goals.rate.refresh,
    }),
  )
  await tokens(service, person)
}

/** The service before anybody uses it: start, memory, search, notifications, chat. @returns the service */
async function alone(): Promise<Service> {
  say('npm start')
  const first = await startService()
  await wait(3000)
  atMost('npm start until /readyz, the first time', first.startedIn, goals.startMs, ms)
  rows.push({ what: 'memory of the idle service (RSS), the first time', value: megabytes(first.memory()) })
  await first.stop()
  // From the second start on, Node loads compiled code from its cache.
  const service = await startService()
  atMost('npm start until /readyz', service.startedIn, goals.startMs, ms)
  await wait(3000)
  atMost('memory of the idle service (RSS)', service.memory(), goals.memory, megabytes)

  say('Search of the handbook')
  const search = await measureSearch(service.url)
  atMost('first search of the handbook', search.cold, goals.search.coldMs, ms)
  atMost('search of the handbook, p95', search.warm, goals.search.warmMs, ms)

  say('Notifications')
  const outbox = await measureOutbox()
  rows.push({
    what: '10,000 notifications, written and sent',
    value: `${Math.round(outbox.rate)} per second`,
    beside: `${outbox.wrong} repeated or lost`,
    goal: '≥ 200 per second, none',
    pass: outbox.rate >= 200 && outbox.wrong === 0,
  })

  say('Chat, the service')
  rows.push(...(await measureChatService()))
  return service
}

async function inUse(service: Service, person: Person): Promise<void> {
  say('The control room on air, five channels')
  rows.push(...(await measureControlRoom()))
  say('The chat page, 200 messages a second')
  rows.push(...(await measureChat()))
  await rates(service, person)
  say('A project with 1,000 channels and 200 members')
  rows.push(...(await measureCrowd(service, person)))
  say('5,000 idle subscribers')
  rows.push(await measureSubscribers(service))
  rows.push({ what: 'memory of the service after the load', value: megabytes(service.memory()) })
}

/** Part that is measured alone; undefined: everything. */
const only = process.argv[2]

endOnSignals()
say(
  `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
)
if (only === 'tokens') {
  const service = await startService()
  await tokens(service, await signUp(service.url))
  await service.stop()
} else await withBrowser(only === 'scores')

async function withBrowser(isScoresOnly: boolean): Promise<void> {
  await ensureChromium('figures')
  const service = isScoresOnly ? await startService() : await alone()
  const person = await signUp(service.url)
  const signedOut = await openBrowser(service.url)
  const signedIn = await openBrowser(service.url, person)
  try {
    if (!isScoresOnly) {
      await pages(signedOut, signedIn, service, person)
      say('Pages on a slow line')
      rows.push(...(await measureSlowLine(signedIn, service.url, person)))
    }
    say('Lighthouse, five runs a page')
    rows.push(...(await measureScores(signedOut, signedIn, service, person)))
    if (!isScoresOnly) await inUse(service, person)
  } finally {
    await signedOut.close()
    await signedIn.close()
    await service.stop()
  }
}

console.log(`\n${table(rows)}\n`)
const missed = rows.filter((row) => row.pass === false).length
console.log(`${rows.filter((row) => row.pass).length} goals met, ${missed} missed`)
process.exitCode = missed > 0 ? 1 : 0
