// Broadcast history in a browser: filters in the URL, time axis, comparison, export.
import { readFile } from 'node:fs/promises'
import { axeInBothThemes, scrollsSideways } from './fixtures/accessible.ts'
import { pastBroadcast } from './fixtures/broadcasts.ts'
import { addAll } from './fixtures/channels.ts'
import { expect, test } from './fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

test('filters a history, opens, compares and exports it', async ({ page, person, goto, service, visit }) => {
  const [one = 0, two = 0] = await addAll(service.url, person, ['Main stage', 'Second screen'])
  await pastBroadcast(service, person, [one], { ago: 60 * 24 * 9, minutes: 30, kbps: 2_500 })
  await visit(paths.analytics(person.projectId))
  await expect(page.getByText('One broadcast so far')).toBeVisible()
  await pastBroadcast(service, person, [one, two], { ago: 60 * 26, minutes: 40, kbps: 4_500, viewers: 230 })
  const latest = await pastBroadcast(service, person, [one, two], { ago: 120, minutes: 60, kbps: 6_000, viewers: 420 })

  await goto(paths.broadcasts(person.projectId))
  const main = page.getByRole('main')
  const lines = main.getByRole('list', { name: 'Broadcasts' }).getByRole('listitem')
  await expect(lines).toHaveCount(3)
  const day = new Date(service.clock.now().getTime() - 3 * 86_400_000).toISOString().slice(0, 10)
  await main.getByLabel('From').fill(day)
  await expect(lines).toHaveCount(2)
  await expect(page).toHaveURL(new RegExp(`from=${day}`))
  await page.reload()
  await expect(lines).toHaveCount(2)
  await main.getByLabel('To').fill('2020-01-01')
  await expect(main.getByText('No broadcasts match these filters')).toBeVisible()
  await main.getByRole('button', { name: 'Show all' }).click()
  await expect(lines).toHaveCount(3)

  await lines.first().getByRole('link').click()
  await expect(page).toHaveURL(paths.broadcast(person.projectId, latest))
  const lanes = main.getByRole('list', { name: 'Encoder and channels over time' }).getByRole('listitem')
  await expect(lanes).toHaveCount(3)
  await expect(lanes.nth(1)).toContainText('Main stage')
  await expect(lanes.nth(1)).toContainText('1 interruption')
  await expect(lanes.nth(2)).toContainText('57:00 OK')
  const chart = main.getByRole('slider', { name: 'Timeline' })
  await chart.focus()
  await page.keyboard.press('Home')
  await expect(chart).toHaveAttribute('aria-valuetext', /kbps/)
  await expect(main.getByText(/Viewers: average \d+, 21 to 420/)).toBeVisible()
  const measuring = page.waitForEvent('download')
  const measures = main.getByRole('group', { name: 'Export measurements' })
  await measures.getByRole('button', { name: 'CSV' }).click()
  expect((await measuring).suggestedFilename()).toBe(`broadcast-${latest}-measures.csv`)
  expect.soft(await axeInBothThemes(page)).toEqual([])

  await goto(paths.analytics(person.projectId))
  await expect(main.getByRole('term').filter({ hasText: 'Peak viewers' })).toBeVisible()
  const rows = main.getByRole('table').getByRole('row')
  await expect(rows).toHaveCount(4)
  await expect(main.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await rows.nth(3).getByRole('checkbox').click()
  await expect(page).toHaveURL(/compare=\d+%2C\d+%2C\d+/)
  await expect(main.getByRole('slider', { name: 'Compare' })).toBeVisible()
  await main.getByRole('combobox', { name: 'Metric' }).selectOption('viewers')
  await expect(page).toHaveURL(/metric=viewers/)
  await main.getByRole('combobox', { name: 'Period' }).selectOption('7')
  await expect(rows).toHaveCount(3)
  expect.soft(await axeInBothThemes(page)).toEqual([])

  const saving = page.waitForEvent('download')
  await main.getByRole('button', { name: 'CSV' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^broadcasts-\d+-7-days\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(text.trim().split('\r\n')).toHaveLength(3)
  expect(text).toContain('created_at,finish_at,seconds')
  await page.setViewportSize({ width: 320, height: 640 })
  expect.soft(await scrollsSideways(page)).toBe(false)
})
