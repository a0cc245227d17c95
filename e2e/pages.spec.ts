// Every page: accessible (axe) on a desktop and on a small phone, in both themes, and no horizontal scrolling at 320 pixels.
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { contentFolder, somePolicy, somePost } from '#server/testing/content.ts'
import { report } from '#server/testing/nodes.ts'
import { paths } from '#src/lib/paths.ts'
import { problemsOf } from './fixtures/accessible.ts'
import { startService } from './fixtures/service.ts'
import { expect, opened, test as base } from './fixtures/test.ts'

/** A post with an image, and a policy. */
const folder = contentFolder({
  'blog/en/first.md': somePost,
  'blog/en/dot.png': readFileSync('handbook/en/images/encoder.png'),
  'policies/en/refund.md': somePolicy,
})

const test = base.extend({
  service: async ({ shared }, use) =>
    use(await shared('service with texts', () => opened(startService({ CONTENT_DIR: folder })))),
})

const outside = [
  'root',
  'signIn',
  'callback',
  'invite',
  'channelInvite',
  'account',
  'help',
  'blog',
  'policy',
  'reference',
  'referenceGroup',
  'channel',
  'payment',
  'operator',
]

/** Every address of the dashboard behind sign-in. */
const pagesOf = (projectId: number): string[] => [
  ...Object.entries(paths)
    .filter(([name]) => !outside.includes(name))
    .map(([, path]) => (path as (id: number) => string)(projectId)),
  paths.tariffs(projectId, 'transcoding'),
  paths.tariffs(projectId, 'storage'),
  paths.billing(projectId, 'history'),
  paths.notifications(projectId, 'settings'),
  paths.notifications(projectId, 'webhooks'),
  paths.billing(projectId, 'cards'),
  paths.billing(projectId, 'payouts'),
  paths.billing(projectId, 'referrals'),
  paths.ingest(projectId, 'pull'),
  paths.ingest(projectId, 'servers'),
  paths.ingest(projectId, 'transcoders'),
  paths.broadcasts(projectId, 'schedule'),
  paths.project(projectId, 'members'),
  paths.project(projectId, 'history'),
  paths.channels(projectId, 'accounts'),
  paths.channels(projectId, 'shared'),
  paths.channels(projectId, 'add'),
  paths.account(),
  paths.account('socials'),
  paths.account('security'),
  paths.account('tokens'),
  paths.account('apps'),
  paths.help(),
  `${paths.help()}?s=timeout`,
  paths.help('start/quality'),
  paths.help('trouble/channel-failed', 'timeout'),
  `${paths.help()}?s=zzzzqqqq`,
  paths.blog(),
  paths.blog('first'),
  paths.blog('unknown'),
  paths.policy('refund'),
  paths.reference(),
]

/** States of pages, and the steps that lead to them. */
const statesOf = (projectId: number): readonly (readonly [path: string, open: (page: Page) => Promise<unknown>])[] => [
  [paths.account('tokens'), (page) => page.getByRole('button', { name: 'New token' }).click()],
  [paths.ingest(projectId, 'transcoders'), (page) => page.getByRole('button', { name: 'New transcoder' }).click()],
  [paths.project(projectId), refuseProject],
  ...['account.auth', 'account.profile', 'projects.projects', 'tariffs.restream', 'chat.chat'].map(
    (group) => [paths.referenceGroup(group), openOperations] as const,
  ),
]

/** Requests a second project, which the free plan refuses. */
async function refuseProject(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Project: / }).click()
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Studio')
  await page.getByRole('dialog').getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByRole('alert')).toContainText('Pro')
}

async function openOperations(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)))
  await expect(page.locator('details[open] > div').last()).toBeVisible()
}

test('the sign-in page is accessible in both themes and fits a small phone', async ({ page }) => {
  await page.goto(paths.signIn())
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await problemsOf(page)).toEqual([])
})

/** Parts that spread the pages over workers; each ends in time on a busy machine too. */
const parts = 8

for (let part = 0; part < parts; part++)
  test(`every page is accessible in both themes and fits a small phone, part ${part + 1}`, async ({
    page,
    person,
    service,
    login,
    goto,
    follow,
    watch,
  }) => {
    // The refused project.
    watch.allow(/status of 400/)
    const ffmpeg = { version: '7.1', x264: true, x265: true, srt: true }
    await report(service.app.services, { ffmpeg, pingHost: new URL(service.url).host })
    await login()
    const pages = pagesOf(person.projectId).map((path) => [path, undefined] as const)
    const mine = [...pages, ...statesOf(person.projectId)].filter((_, index) => index % parts === part)
    for (const [path, open] of mine) {
      // A state, such as an open dialog, ends with its document.
      await (open ? goto(path) : follow(path))
      // The code of a page may still be on its way.
      await expect(page.locator('h1').first(), path).toBeVisible()
      await open?.(page)
      expect.soft(await problemsOf(page), path).toEqual([])
      expect.soft(await page.title(), path).not.toBe('')
    }
  })
