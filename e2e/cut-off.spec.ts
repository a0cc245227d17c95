// Tables and tabs that are wider than a phone: an edge shadow shows that more follows.
import type { Page } from '@playwright/test'
import { paths } from '#src/lib/paths.ts'
import { makeOperator } from '#server/testing/test-app.ts'
import { report } from '#server/testing/nodes.ts'
import { pastBroadcast } from './fixtures/broadcasts.ts'
import { settled } from './fixtures/calls.ts'
import { addAll } from './fixtures/channels.ts'
import { speak } from './fixtures/language.ts'
import { expect, test } from './fixtures/test.ts'

interface Wide {
  readonly name: string
  /** The background at the right edge differs between the beginning and the end of the content. */
  readonly hasHint: boolean
}

test('at 390 pixels, wide tables and Russian tabs show that more follows', async ({
  page,
  person,
  service,
  visit,
  goto,
}) => {
  const channels = await addAll(service.url, person, ['Main stage'])
  for (const ago of [300, 120]) await pastBroadcast(service, person, channels, { ago, minutes: 20, kbps: 6_000 })
  await report(service.app.services, { pingHost: new URL(service.url).host })
  const { id } = await service.app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', person.email)
    .executeTakeFirstOrThrow()
  await makeOperator(service, { id })
  await page.setViewportSize({ width: 390, height: 844 })
  await visit(paths.analytics(person.projectId))
  await speak(page, 'ru')
  const seen = new Set<string>()
  for (const path of [
    paths.analytics(person.projectId),
    paths.ingest(person.projectId, 'servers'),
    paths.billing(person.projectId),
    paths.channels(person.projectId),
    paths.tariffs(person.projectId),
    paths.operator(),
    paths.account(),
  ])
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await goto(path)
      await settled(page)
      for (const { name, hasHint } of await wideParts(page)) {
        seen.add(name.split(' ', 1)[0] ?? '')
        expect.soft(hasHint, `${path} ${scheme}: ${name}`).toBe(true)
      }
    }
  // The pages have both kinds at this width.
  expect([...seen].toSorted()).toEqual(['div', 'nav'])
})

/** Parts of the page that scroll horizontally, and whether their right edge differs while more follows. */
async function wideParts(page: Page): Promise<Wide[]> {
  const parts: Wide[] = []
  for (const part of await page.locator('main nav, main [role=group]').all()) {
    const isWide = await part.evaluate((one) => one.scrollWidth > one.clientWidth + 1)
    if (!isWide) continue
    const edge = async (isEnd: boolean): Promise<string> => {
      await part.evaluate(
        (one, left) => {
          // Only the background counts.
          for (const child of one.children) (child as HTMLElement).style.visibility = 'hidden'
          one.scrollTo({ left, behavior: 'instant' })
        },
        isEnd ? 100_000 : 0,
      )
      const box = await part.boundingBox()
      if (!box) throw new Error('The part is not shown')
      const shot = { x: box.x + box.width - 10, y: box.y + 4, width: 10, height: Math.min(20, box.height - 8) }
      return (await page.screenshot({ clip: shot })).toString('base64')
    }
    await part.scrollIntoViewIfNeeded()
    const name = await part.evaluate((one) => `${one.localName} ${one.getAttribute('aria-label') ?? ''}`)
    parts.push({ name, hasHint: (await edge(false)) !== (await edge(true)) })
  }
  return parts
}
