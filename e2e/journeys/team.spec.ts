// A team project: an invitation by link, roles, removal, history.
import type { Page } from '@playwright/test'
import { history } from '#contract/areas/projects/history.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { axe } from '#e2e/fixtures/accessible.ts'
import { expect, test } from '#e2e/fixtures/test.ts'
import { TeamPage } from '#e2e/pages/team-page.ts'
import { paths } from '#src/lib/paths.ts'

/** The first plan with team projects. */
const pro = 3

test('invites by link, applies each role, and removes a member', async ({
  page,
  person,
  api,
  otherBrowser,
  watch,
  visit,
}) => {
  watch.allow(/status of 40[03]/)
  await api(restream.buy, { project_id: person.projectId, period: 'month', plan_restream_id: pro })
  const { internal_id: projectId } = await api(projects.create, { name: 'Studio', currency: 'usd' })
  const stream = { rtmp_url: 'rtmp://ingest.example.com/live', stream_key: 'key-4711' }
  await api(addChannel.any, { project_id: projectId, type: 'youtube', name: 'Evening show', ...stream })
  await visit(paths.project(projectId, 'members'))
  const team = new TeamPage(page)
  await test.step('reports that this service sends no e-mail, and withdraws the invitation', async () => {
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await team.dialog.getByLabel('E-mail').fill('zoe@example.com')
    await team.dialog.getByRole('button', { name: 'Create invitation' }).click()
    await expect(team.dialog).toContainText('Share the link yourself')
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Withdraw the invitation: zoe@example.com' }).click()
    await expect(page.getByText('No open invitations.')).toBeVisible()
  })
  const link = await team.invite('Viewer')
  await expect(team.invitations.getByRole('listitem')).toContainText('By link')

  const guest = await otherBrowser()
  await test.step('signs up a new person from the link by two clicks and one form', async () => {
    let clicks = 0
    const click = async (name: string) => {
      clicks += 1
      await guest.getByRole('button', { name }).click()
    }
    await guest.goto(link)
    await expect(guest.getByText('Robin invites you to the project “Studio”.')).toBeVisible()
    await expect(guest.getByText('Your role: viewer')).toBeVisible()
    expect(guest.url(), 'the secret leaves the address at once').not.toContain('#')
    expect(await axe(guest)).toEqual([])
    await click('Create account and join')
    await guest.getByLabel('Name').fill('Gus')
    await guest.getByLabel('E-mail').fill(`gus-${projectId}@example.com`)
    await guest.getByLabel('Password').fill('a-long-password')
    await click('Create account')
    await guest.waitForURL(`**${paths.home(projectId)}`)
    expect(clicks).toBe(2)
  })

  const channelSwitch = guest.getByRole('switch', { name: /Evening show/ })
  const seen = new TeamPage(guest)
  await test.step('shows a viewer the channel and the members, without actions', async () => {
    await guest.goto(paths.channels(projectId))
    await expect(channelSwitch).toHaveAttribute('aria-disabled', 'true')
    await guest.goto(paths.project(projectId, 'members'))
    await expect(seen.member('Gus')).toContainText('Viewer: can view everything, cannot change it')
    await expect(seen.member('Robin').getByRole('button')).toHaveCount(0)
    await expect(guest.getByRole('button', { name: 'Invite', exact: true })).toHaveCount(0)
    await expect(guest.getByText('Only owners can invite people and change roles.')).toBeVisible()
  })

  await test.step('lets an editor switch the channel', async () => {
    await page.reload()
    await team.open('Gus')
    await team.dialog.getByRole('radio', { name: 'Editor' }).check()
    await team.dialog.getByRole('button', { name: 'Save role' }).click()
    await expect(team.member('Gus')).toContainText('Editor')
    await guest.goto(paths.channels(projectId))
    await expect(channelSwitch).not.toHaveAttribute('aria-disabled', 'true')
    await guest.goto(paths.project(projectId, 'members'))
    await expect(seen.member('Gus')).toContainText('Editor')
  })

  await test.step('reports the removal on the open page, with a link onwards', async () => {
    await team.open('Gus')
    await team.dialog.getByRole('button', { name: 'Remove from the project' }).click()
    await team.dialog.getByRole('button', { name: 'Remove from the project' }).click()
    await expect(page.getByText('Gus is no longer in the project.')).toBeVisible()
    await expect(team.member('Gus')).toHaveCount(0)
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText('You are no longer in this project')
    await guest.getByRole('link', { name: 'Go to Home' }).click()
    await expect(guest.getByRole('button', { name: /Project: Gus/ })).toBeVisible()
  })

  await test.step('rejects the used link', async () => {
    await guest.goto(link)
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText('This invitation is no longer valid')
  })

  await test.step('lists everything in the history, filters it by URL, and exports it as a file', async () => {
    await checkHistory(page)
    const { total } = await api(history.list, { project_id: projectId })
    expect(total).toBe(9)
  })
})

/** Opens the history, filters it by action and by date, and downloads it. */
async function checkHistory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click()
  const events = page.getByRole('region', { name: 'History' }).getByRole('list')
  await expect(events.getByRole('listitem')).toHaveCount(9)
  await page.getByLabel('Action', { exact: true }).selectOption('Role changed')
  await expect(events.getByRole('listitem')).toHaveText([/Role changed Gus: Viewer → Editor\s*Robin/])
  await expect(page).toHaveURL(/action=user_project_change/)
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV table' }).click(),
  ])
  expect(csv.suggestedFilename()).toMatch(/^history-\d+-[\d-]+\.csv$/)
  const text = await new Response((await csv.createReadStream()) as unknown as ReadableStream).text()
  expect(text).toContain('Robin,Role changed,Gus: Viewer → Editor,')
  expect(text.trim().split('\r\n')).toHaveLength(2)
  await page.getByLabel('Action', { exact: true }).selectOption('Any action')
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-02')
  await expect(page.getByText('No entries match these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(events.getByRole('listitem')).toHaveCount(9)
  expect(await axe(page)).toEqual([])
}
