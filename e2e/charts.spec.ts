// A chart by keys and by fingers: nearer, along, and all of it again; what a screen reader hears stays right.
import type { Page } from '@playwright/test'
import { pastBroadcast } from './fixtures/broadcasts.ts'
import { addAll } from './fixtures/channels.ts'
import { expect, test } from './fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

test.use({ hasTouch: true })

/** Puts fingers down at these shares of a width, moves them to others, and lifts them. */
async function drag(page: Page, at: { x: number; y: number; width: number }, from: number[], to: number[]) {
  const line = await page.context().newCDPSession(page)
  const points = (shares: readonly number[]) => shares.map((share, id) => ({ x: at.x + share * at.width, y: at.y, id }))
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', shares: readonly number[]) =>
    line.send('Input.dispatchTouchEvent', { type, touchPoints: points(shares) })
  await send('touchStart', from)
  for (let step = 1; step <= 10; step++)
    await send(
      'touchMove',
      from.map((share, index) => share + (((to[index] ?? share) - share) * step) / 10),
    )
  await send('touchEnd', [])
  await line.detach()
}

test('a chart is zoomed by keys and by two fingers, moved by one, and reset', async ({
  page,
  person,
  login,
  service,
}) => {
  const [channel = 0] = await addAll(service.url, person, ['Main stage'])
  const id = await pastBroadcast(service, person, [channel], { ago: 120, minutes: 60, kbps: 6_000 })
  await login()
  const main = page.getByRole('main')
  await main.getByRole('list', { name: 'Last broadcast' }).getByRole('link').click()
  await expect(page).toHaveURL(paths.broadcast(person.projectId, id))
  const chart = main.getByRole('slider', { name: 'How it went' })
  await expect(chart.locator('canvas')).toBeVisible()
  const said = () => chart.getAttribute('aria-valuetext')
  const whole = main.getByRole('button', { name: 'Whole time' })

  await chart.focus()
  await page.keyboard.press('Home')
  // Its moment and value; what happened there is said where it is close enough.
  const first = new RegExp(`^${(await said())?.split(',', 2).join(',')}`)
  await page.keyboard.press('End')
  await expect(chart).not.toHaveAttribute('aria-valuetext', first)
  await expect(whole).toBeHidden()
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await expect(whole).toBeVisible()
  // What is not seen is brought into sight.
  await page.keyboard.press('Home')
  await expect(chart).toHaveAttribute('aria-valuetext', first)
  await page.keyboard.press('-')
  await expect(whole).toBeVisible()
  await page.keyboard.press('0')
  await expect(whole).toBeHidden()

  await chart.scrollIntoViewIfNeeded()
  const box = await chart.boundingBox()
  if (!box) throw new Error('The chart is not there')
  const at = { x: box.x, y: box.y + box.height / 2, width: box.width }
  const tapped = async () => {
    await page.touchscreen.tap(at.x + at.width / 2, at.y)
    return said()
  }
  // One finger on all of it goes along the points.
  await drag(page, at, [0.9], [0.1])
  const early = await said()
  await drag(page, at, [0.1], [0.9])
  await expect(chart).not.toHaveAttribute('aria-valuetext', String(early))
  await expect(whole).toBeHidden()

  await drag(page, at, [0.4, 0.6], [0.1, 0.9])
  await expect(whole).toBeVisible()
  const middle = await tapped()
  await drag(page, at, [0.3], [0.9])
  expect(await tapped()).not.toBe(middle)
  await whole.tap()
  await expect(whole).toBeHidden()
  await drag(page, at, [0.1, 0.9], [0.4, 0.6])
  await expect(whole).toBeHidden()
})
