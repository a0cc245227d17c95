// Charts by keyboard and touch: zoom, pan, reset, and the values for screen readers.
import type { Locator } from '@playwright/test'
import { pastBroadcast } from './fixtures/broadcasts.ts'
import { addAll } from './fixtures/channels.ts'
import { expect, test } from './fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

test.use({ hasTouch: true })

/** Puts fingers down at these shares of the width, moves them to others, and lifts them. */
async function drag(plot: Locator, from: number[], to: number[]) {
  const box = await plot.boundingBox()
  if (!box) throw new Error('The chart is not there')
  const line = await plot.page().context().newCDPSession(plot.page())
  const points = (shares: readonly number[]) =>
    shares.map((share, id) => ({ x: box.x + share * box.width, y: box.y + box.height / 2, id }))
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

test('zooms a chart by keys and two fingers, pans it by one finger, and resets it', async ({
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
  const chart = main.getByRole('slider', { name: 'Timeline' })
  await expect(chart.locator('canvas')).toBeVisible()
  // Without the labels beside it.
  const plot = chart.locator('.u-over')
  const whole = main.getByRole('button', { name: 'Show all' })
  /** Cursor position as a share of all points, in percent. */
  const place = async () => {
    const [now, max] = await Promise.all(['aria-valuenow', 'aria-valuemax'].map((name) => chart.getAttribute(name)))
    return Math.round((100 * Number(now)) / Number(max))
  }

  await chart.focus()
  await page.keyboard.press('Home')
  // Time and value instead of the name alone.
  await expect(chart).toHaveAttribute('aria-valuetext', /kbps/)
  expect(await place()).toBe(0)
  await page.keyboard.press('End')
  await expect.poll(place).toBe(100)
  await expect(whole).toBeHidden()
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await expect(whole).toBeVisible()
  // Scrolls the chart into view.
  await page.keyboard.press('Home')
  await expect.poll(place).toBe(0)
  await page.keyboard.press('-')
  await expect(whole).toBeVisible()
  await page.keyboard.press('0')
  await expect(whole).toBeHidden()

  // Chromium returns the pointer to the mouse of the test after a tap.
  await plot.hover()
  // One finger on the unzoomed chart moves along its points.
  await drag(plot, [0.9], [0.1])
  await expect.poll(place).toBeLessThan(20)
  await drag(plot, [0.1], [0.9])
  await expect.poll(place).toBeGreaterThan(80)
  await expect(whole).toBeHidden()

  // Zoomed four times around the middle; one finger pans by a seventh of the range.
  await drag(plot, [0.4, 0.6], [0.1, 0.9])
  await expect(whole).toBeVisible()
  await plot.tap()
  await expect.poll(place).toBeGreaterThan(45)
  await expect.poll(place).toBeLessThan(55)
  await drag(plot, [0.3], [0.9])
  await plot.tap()
  await expect.poll(place).toBeLessThan(40)
  await whole.tap()
  await expect(whole).toBeHidden()
  await drag(plot, [0.1, 0.9], [0.4, 0.6])
  await expect(whole).toBeHidden()
})
