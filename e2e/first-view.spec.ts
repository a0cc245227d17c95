// Pages within their budgets (docs/decisions/0017): what a fresh browser requests until they can be used. These are counts,
// the same on every machine; the bench measures times.
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { paths } from '#src/lib/paths.ts'
import { liveLine, statusAt } from './fixtures/live-line.ts'
import { type Weight, weigh } from './fixtures/first-view.ts'
import { expect, test } from './fixtures/test.ts'

const budget = { requests: 15, css: 20_000 }
/** Compressed bytes. The first view of any page has 220 KB; each page has the room that it needs today. */
const scripts = { signIn: 150_000, tariffs: 195_000, controlRoom: 195_000 }

function isWithin({ first, elsewhere }: Weight, js: number): void {
  const shown = first.requests.map((address) => new URL(address).pathname).join('\n')
  expect(first.requests.length, `requests until it can be used:\n${shown}`).toBeLessThanOrEqual(budget.requests)
  expect(first.js.gzip, 'bytes of scripts').toBeLessThanOrEqual(js)
  expect(first.css.gzip, 'bytes of styles').toBeLessThanOrEqual(budget.css)
  expect(elsewhere, 'third parties').toEqual([])
}

test('sign-in', async ({ page, service }) => {
  isWithin(await weigh(page, service.url + paths.signIn(), 'Sign in'), scripts.signIn)
})

test('the tariff page', async ({ page, context, person, service, login }) => {
  await login()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  isWithin(
    await weigh(await context.newPage(), service.url + paths.tariffs(person.projectId), 'Yearly'),
    scripts.tariffs,
  )
})

for (const [name, viewport] of [
  ['a phone', { width: 412, height: 823 }],
  ['a desk', { width: 1440, height: 900 }],
] as const)
  test(`the control room on air, on ${name}: nothing moves while its parts come, and all of them do`, async ({
    page: first,
    context,
    person,
    service,
    login,
  }) => {
    await login()
    await expect(first.getByRole('heading', { level: 1 })).toBeVisible()
    const page = await context.newPage()
    await page.setViewportSize(viewport)
    const line = await liveLine(page)
    await page.route(`**${broadcasts.status.path}?*`, (route) => route.fulfill({ json: statusAt(0, true) }))
    void line.told.then(() => [1, 2, 3].forEach((second) => line.push(statusAt(second, true))))
    const weight = await weigh(page, service.url + paths.home(person.projectId), 'All channels are live (5 of 5)')
    isWithin(weight, scripts.controlRoom)
    // A font that comes late on a busy machine moves a word or two.
    expect(weight.moved, 'layout shift').toBeLessThan(0.005)

    // What is further down is there for whoever comes near it.
    await page.getByRole('heading', { name: 'Incoming stream' }).scrollIntoViewIfNeeded()
    await expect(page.getByRole('slider', { name: 'Bitrate' })).toBeVisible()
    await page.getByRole('heading', { name: 'Events' }).scrollIntoViewIfNeeded()
    await expect(page.getByRole('list', { name: 'Events' })).toBeAttached()
  })
