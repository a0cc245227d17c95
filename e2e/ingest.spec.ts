// Stream setup in a browser: clipboard, accessibility and small screens.
import { paths } from '#src/lib/paths.ts'
import { report } from '#server/testing/nodes.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

test('copies without the Clipboard API, as on an insecure origin', async ({ page, person, service, visit }) => {
  await report(service.app.services, { pingHost: new URL(service.url).host })
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await visit(paths.ingest(person.projectId))
  const copied = page.evaluate(
    () =>
      new Promise<string>((resolve) =>
        document.addEventListener('copy', ({ target }) => resolve((target as HTMLTextAreaElement).value)),
      ),
  )
  const copy = page.getByRole('button', { name: 'Copy: Stream key' })
  await copy.focus()
  // The confirmation disappears after a moment.
  await Promise.all([
    expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached(),
    expect(page.getByRole('button', { name: 'Copied' })).toBeFocused(),
    page.keyboard.press('Enter'),
  ])
  expect(await copied).toBe(await page.getByLabel('Stream key', { exact: true }).inputValue())
})

test('every tab is accessible and fits a small phone', async ({ page, person, service, login, goto }) => {
  const ffmpeg = { version: '7.1', x264: true, x265: true, srt: true }
  await report(service.app.services, { ffmpeg, pingHost: new URL(service.url).host })
  await page.setViewportSize({ width: 320, height: 640 })
  await login()
  for (const tab of [undefined, 'pull', 'servers', 'transcoders'] as const) {
    await goto(paths.ingest(person.projectId, tab))
    expect.soft(await axe(page), tab ?? 'push').toEqual([])
    expect.soft(await scrollsSideways(page), tab ?? 'push').toBe(false)
  }
  await page.getByRole('button', { name: 'New transcoder' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect.soft(await axe(page), 'a new transcoder').toEqual([])
})
