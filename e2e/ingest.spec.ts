// Stream setup in a browser: the clipboard.
import { paths } from '#src/lib/paths.ts'
import { report } from '#server/testing/nodes.ts'
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
  const copy = page.getByRole('button', { name: 'Copy: Stream key', exact: true })
  await copy.focus()
  // The confirmation disappears after a moment.
  await Promise.all([
    expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached(),
    expect(page.getByRole('button', { name: 'Copied' })).toBeFocused(),
    page.keyboard.press('Enter'),
  ])
  expect(await copied).toBe(await page.getByLabel('Stream key', { exact: true }).inputValue())
})
