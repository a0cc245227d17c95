// Random interleavings of three tabs, checked against invariants. Each seed is one run; the message of a failure
// names its seed, and SEED=n repeats it alone.
import { expect, test } from 'vitest'
import { createFakeBrowser, type Tab } from './testing/fake-browser.ts'
import { createFakeClock, dice } from './testing/fake-clock.ts'
import { createFakeServer } from './testing/fake-server.ts'

const slow = 60

interface Story {
  /** Tabs crash or freeze, responses get lost. Then a refresh token may be presented twice. */
  readonly hasAccidents: boolean
  readonly hasLocks: boolean
  readonly mode: 'strict' | 'replay'
}

async function play(seed: number, story: Story) {
  const random = dice(seed)
  const clock = createFakeClock()
  const server = createFakeServer(story.mode)
  const browser = createFakeBrowser(clock, server, { random, locks: story.hasLocks, slow })
  const tabs: Tab[] = []
  const expired: number[] = []
  const open = () => {
    const tab = browser.tab()
    const index = tabs.push(tab) - 1
    tab.session.onAuthStateChange((event) => {
      if (event.type === 'signed_out' && event.reason === 'expired') expired.push(index)
    })
    void tab.session.initialize()
    return tab
  }
  for (let i = 0; i < 3; i++) open()
  const living = () => tabs.filter((tab) => !tab.state.isCrashed)
  const frozen = new Set<Tab>()
  const pick = () => {
    const awake = living().filter((tab) => !frozen.has(tab))
    return awake[Math.floor(random() * awake.length)] ?? open()
  }
  const requests: { path: string; tab: Tab; at: number; owner: string | undefined; settled: boolean }[] = []
  let people = 0

  const request = (tab: Tab) => {
    const owner = browser.ledger.ownerOf.get(tab.session.getSnapshot().sessionId ?? '')
    const entry = { path: `/method/r${requests.length}`, tab, at: clock.now(), owner, settled: false }
    requests.push(entry)
    void tab.client
      .request(entry.path)
      .catch((error: unknown) => {
        if (!(error instanceof Error)) throw error
      })
      .finally(() => {
        entry.settled = true
      })
  }
  const freeze = (tab: Tab) => {
    frozen.add(tab)
    tab.freeze()
    // A tab may still send, after the thaw, the token it read before.
    for (const entry of requests) if (entry.tab === tab && !entry.settled) entry.at = -Infinity
    clock.setTimeout(() => {
      frozen.delete(tab)
      tab.thaw()
    }, random() * 30_000)
  }
  const signedOut: { tab: number; owner: string; after: number }[] = []

  for (let step = 0; step < 40; step++) {
    const tab = pick()
    const what = step === 0 ? 0.8 : random()
    if (what < 0.45) request(tab)
    else if (what < 0.6) server.expire()
    else if (what < 0.7) void tab.session.refreshSession().catch(() => {})
    else if (what < 0.75) {
      const owner = browser.ledger.ownerOf.get(tab.session.getSnapshot().sessionId ?? '')
      void tab.session.signOut()
      if (owner) signedOut.push({ tab: tabs.indexOf(tab) + 1, owner, after: server.sends.length })
    } else if (what < 0.83) void tab.session.setSession(server.mint(`p${++people}`))
    else if (what < 0.88) tab.wake('visible')
    else if (story.hasAccidents && what < 0.91) {
      tab.crash()
      open()
    } else if (story.hasAccidents && what < 0.94) {
      freeze(tab)
    } else if (story.hasAccidents) server.said.push({ lost: true })
    await clock.advance(random() * 120)
  }
  await clock.advance(180_000)

  // All tabs agree in the end, at the latest when they become visible, even after the messages of a crashed tab were
  // lost.
  for (const tab of living()) tab.wake('visible')
  await clock.advance(5000)
  return { server, ledger: browser.ledger, requests, signedOut, expired, living: living() }
}

function check({ server, ledger, requests, signedOut, expired, living }: Awaited<ReturnType<typeof play>>, at: string) {
  const ownerOf = (token: string) => server.owners.get(token)
  for (const { path, at: begun, settled, tab, owner } of requests) {
    const sent = server.sends.filter((entry) => entry.path === path)
    const over = Math.min(...sent.map(({ token }) => ledger.endedAt.get(ownerOf(token) ?? '') ?? Infinity))
    // A tab may still send the token that it read just before the end, but none that it reads later.
    expect(begun, `${at}: ${path} sent a token of a session that was over`).toBeLessThan(over + 3 * slow)
    expect(new Set(sent.map(({ token }) => ownerOf(token))).size, `${at}: ${path} in two names`).toBeLessThan(2)
    for (const { token } of owner ? sent : [])
      expect(ownerOf(token), `${at}: ${path} left the session it was made in`).toBe(owner)
    expect(sent.length, `${at}: sends of ${path}`).toBeLessThan(3)
    expect(settled || tab.state.isCrashed, `${at}: ${path} never settled`).toBe(true)
  }
  for (const { tab, owner, after } of signedOut) {
    const late = server.sends.slice(after).filter((sent) => sent.tab === tab && sent.path !== '/method/auth/logout')
    expect(
      late.map(({ token }) => ownerOf(token)),
      `${at}: tab ${tab} had signed out`,
    ).not.toContain(owner)
  }
  expect(new Set(living.map((tab) => tab.session.getSnapshot().sessionId)).size, `${at}: tabs disagree`).toBe(1)
  return { calls: server.refreshCalls, reuses: server.reuses, expired: expired.length }
}

const stories: Story[] = [true, false].flatMap((hasAccidents) =>
  [true, false].flatMap((hasLocks) =>
    (['strict', 'replay'] as const).map((mode) => ({ hasAccidents, hasLocks, mode })),
  ),
)
const seeds = import.meta.env['SEED']
  ? [Number(import.meta.env['SEED'])]
  : Array.from({ length: import.meta.env['NIGHTLY'] ? 400 : 40 }, (_, index) => index + 1)

const tell = async (story: Story) => {
  const told = []
  for (const seed of seeds) told.push({ seed, ...check(await play(seed, story), `SEED=${seed}`) })
  return told
}

test.each(stories.filter(({ hasAccidents }) => hasAccidents))(
  'model: accidents, locks $hasLocks, $mode server',
  async (story) => {
    const told = await tell(story)
    expect(told.some(({ calls }) => calls > 0)).toBe(true)
  },
)

test.each(stories.filter(({ hasAccidents }) => !hasAccidents))(
  'model: no accidents, locks $hasLocks, $mode server: no token is used twice, nobody is thrown out',
  async (story) => {
    const told = await tell(story)
    expect(told.filter(({ reuses, expired }) => reuses || expired)).toEqual([])
  },
)
