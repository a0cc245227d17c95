// Random interleavings of three tabs, checked against what must never happen. Each seed is one story; a failing one is
// named in the message and runs alone with SEED=n.
import { expect, test } from 'vitest'
import { createFakeBrowser, createFakeClock, createFakeServer, dice, type Tab } from './testing.ts'

const slow = 60

interface Story {
  /** Tabs die, answers get lost. Then a refresh token may be presented twice. */
  readonly hasAccidents: boolean
  readonly hasLocks: boolean
  readonly mode: 'strict' | 'replay'
}

async function play(seed: number, story: Story) {
  const random = dice(seed)
  const clock = createFakeClock()
  const server = createFakeServer(clock, story.mode)
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
  const pick = () => living()[Math.floor(random() * 3)]!
  const requests: { path: string; tab: Tab; at: number; settled: boolean }[] = []
  let people = 0

  const request = (tab: Tab) => {
    const entry = { path: `/method/r${requests.length}`, tab, at: clock.now(), settled: false }
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
    else if (what < 0.88) tab.coordinator.wake('visible')
    else if (story.hasAccidents && what < 0.94) {
      tab.crash()
      open()
    } else if (story.hasAccidents) server.said.push({ lost: true })
    await clock.advance(random() * 120)
  }
  await clock.advance(180_000)

  const { ledger } = browser
  const at = `seed ${seed}`
  for (const { token, path, tab } of server.sends.filter(({ path: sent }) => sent.includes('/r'))) {
    const owner = server.owners.get(token) ?? ''
    const request_ = requests.find((entry) => entry.path === path)
    const over = ledger.endedAt.get(owner) ?? Infinity
    // What a tab had read just before the end it may still send; what it reads later it must not.
    expect(request_!.at, `${at}: ${path} of tab ${tab} sent a token of a session that was over`).toBeLessThan(
      over + 3 * slow,
    )
  }
  for (const { tab, owner, after } of signedOut) {
    const late = server.sends.slice(after).filter((sent) => sent.tab === tab && sent.path !== '/method/auth/logout')
    expect(
      late.map(({ token }) => server.owners.get(token)),
      `${at}: tab ${tab} signed out`,
    ).not.toContain(owner)
  }
  for (const { path } of requests) {
    const sent = server.sends.filter((entry) => entry.path === path)
    const owners = new Set(sent.map(({ token }) => server.owners.get(token)))
    expect(owners.size, `${at}: ${path} was sent in two names`).toBeLessThan(2)
    expect(sent.length, `${at}: sends of ${path}`).toBeLessThan(3)
  }
  if (!story.hasAccidents) {
    expect(server.reuses, `${at}: a refresh token was used twice`).toBe(0)
    expect(expired, `${at}: signed out as expired`).toEqual([])
  }
  const open_ = requests.filter((entry) => !entry.settled && !entry.tab.state.isCrashed)
  expect(
    open_.map(({ path }) => path),
    `${at}: requests that never settled`,
  ).toEqual([])
  // In the end all living tabs agree; at the latest when one is looked at, whatever message was lost with a tab.
  for (const tab of living()) tab.coordinator.wake('visible')
  await clock.advance(5000)
  const ids = new Set(living().map((tab) => tab.session.getSnapshot().sessionId))
  expect(ids.size, `${at}: tabs disagree ${JSON.stringify([...ids])}`).toBe(1)
  return server.refreshCalls
}

const stories: Story[] = [true, false].flatMap((hasAccidents) =>
  [true, false].flatMap((hasLocks) =>
    (['strict', 'replay'] as const).map((mode) => ({ hasAccidents, hasLocks, mode })),
  ),
)
const seeds = import.meta.env['SEED']
  ? [Number(import.meta.env['SEED'])]
  : Array.from({ length: 120 }, (_, index) => index + 1)

test.each(stories)('model: accidents $hasAccidents, locks $hasLocks, $mode server', async (story) => {
  let calls = 0
  for (const seed of seeds) calls += await play(seed, story)
  expect(calls).toBeGreaterThan(0)
})
