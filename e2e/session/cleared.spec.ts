// Site data cleared under open tabs, in the middle of reads: no tab goes deaf. T numbers: docs/session.md.
import { inAll, expect, settled, test, type Fixtures } from './rig.ts'
import type { BrowserContext } from '@playwright/test'

/** Two busy tabs lose their site data; then another person signs in and out in the second one. */
async function clearUnder({
  upstream,
  tab,
  context,
}: Pick<Fixtures, 'upstream' | 'tab'> & { context: BrowserContext }) {
  const pages = [await tab({}, upstream.signIn('ann')), await tab()]
  await settled(pages)
  await inAll(pages, (rig) => {
    // Every request reads the ledger, so that the browser closes the database during a read.
    const run = () => void rig.get('me').then(() => setTimeout(run, 1))
    run()
  })
  const devtools = await context.newCDPSession(pages[0]!)
  await devtools.send('Storage.clearDataForOrigin', { origin: upstream.url, storageTypes: 'all' })
  await pages[1]!.evaluate((pair) => void window.rig.session.setSession(pair), upstream.signIn('ben'))
  const owner = (page: (typeof pages)[number]) =>
    page.evaluate(() => window.rig.get('me').then(([result]) => (result?.ok ? result.body : result?.name)))
  for (const page of pages) await expect.poll(() => owner(page)).toMatchObject({ owner: 'ben' })
  await pages[1]!.evaluate(() => window.rig.session.signOut())
  for (const page of pages) await expect(page.locator('#status')).toHaveText('unauthenticated')
  for (const page of pages) await page.close()
}

/** Rounds of the race; `npm run test:nightly` runs more. */
const rounds = process.env['NIGHTLY'] ? 100 : 10

test(
  'T59 both tabs follow a sign-in and a sign-out after their site data was cleared',
  { tag: '@rounds' },
  async ({ upstream, tab, context }) => {
    test.setTimeout(rounds * 60_000)
    for (let round = 0; round < rounds; round++) await clearUnder({ upstream, tab, context })
  },
)

test('T58 finds the session when the browser never answers the first open of the database', async ({
  upstream,
  tab,
  context,
}) => {
  const pair = upstream.signIn()
  await (await tab({}, pair)).close()
  await context.addInitScript(() => {
    const { open } = IDBFactory.prototype
    let isFirst = true
    IDBFactory.prototype.open = function (...args) {
      if (!isFirst) return Reflect.apply(open, this, args)
      isFirst = false
      return {} as IDBOpenDBRequest
    }
  })
  const page = await tab()
  await expect(page.locator('#status')).toHaveText('authenticated')
  expect(await page.evaluate(() => window.rig.snapshot().persistence)).toBe('indexeddb')
  expect(await page.evaluate(() => window.rig.token())).toBe(pair.accessToken)
})
