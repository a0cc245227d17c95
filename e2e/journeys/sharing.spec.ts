// A channel shared with another project, by link and by project id.
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { axe } from '#e2e/fixtures/accessible.ts'
import { expect, test } from '#e2e/fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

const secretKey = 'key-4711'

test('shares a channel by link, applies the access level, and withdraws it', async ({
  page,
  person,
  another,
  api,
  otherBrowser,
  watch,
  visit,
}) => {
  watch.allow(/status of 40[03]/)
  const stream = { rtmp_url: 'rtmp://ingest.example.com/live', stream_key: secretKey }
  const input = { project_id: person.projectId, type: 'youtube', name: 'Evening show', ...stream } as const
  const { channel_id: id } = await api(addChannel.any, input)
  const zoe = await another({ name: 'Zoe' })
  await visit(paths.channel(person.projectId, id))
  const card = page.getByRole('region', { name: 'Sharing' })
  await expect(card).toContainText('Not shared with any project.')

  const link = await test.step('creates a link, which is shown once', async () => {
    await card.getByRole('button', { name: 'Share…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'By link' }).check()
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const url = await dialog.getByLabel('Link', { exact: true }).inputValue()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(card.getByRole('listitem')).toContainText('Anyone with the link')
    return url
  })

  const guest = await otherBrowser()
  await test.step('signs in from the link and adds the channel to another project', async () => {
    await guest.goto(link)
    await guest.getByRole('link', { name: 'Sign in' }).click()
    await expect.poll(() => guest.url(), 'the secret is in no address').not.toContain(link.split('#')[1])
    await guest.getByRole('button', { name: 'Sign in' }).click()
    await guest.getByLabel('E-mail').fill(zoe.email)
    await guest.getByLabel('Password').fill(zoe.password)
    await guest.getByRole('button', { name: 'Sign in' }).click()
    await expect(guest.getByText('The project Robin shares its channel Evening show with you.')).toBeVisible()
    await expect(guest.getByLabel('Add it to')).toHaveValue(String(zoe.projectId))
    expect(await axe(guest)).toEqual([])
    await guest.getByRole('button', { name: 'Accept' }).click()
    await guest.waitForURL(`**${paths.channel(zoe.projectId, id)}`)
  })

  await test.step('uses the channel, without its key and without sharing it further', async () => {
    const theirs = guest.getByRole('region', { name: 'Sharing' })
    await expect(theirs).toContainText('Robin lets this project use it.')
    await expect(theirs.getByRole('button', { name: 'Share…' })).toHaveCount(0)
    expect(await guest.content()).not.toContain(secretKey)
    await guest.goto(paths.channels(zoe.projectId))
    await guest.getByRole('switch', { name: /Evening show/ }).click()
    await expect(guest.getByRole('switch', { name: /Evening show/ })).toBeChecked()
    await guest.goto(paths.channels(zoe.projectId, 'shared'))
    await expect(guest.getByRole('region', { name: 'Shared with this project' })).toContainText('Evening show')
    expect(await axe(guest)).toEqual([])
  })

  await test.step('refuses to switch the channel with view access', async () => {
    await page.reload()
    await expect(card.getByRole('listitem').filter({ hasText: 'Zoe' })).toContainText('On there')
    expect(await axe(page)).toEqual([])
    await card.getByLabel('Access of Zoe').selectOption('Can view')
    await expect(card).toContainText('Access of Zoe changed.')
    await guest.goto(paths.channels(zoe.projectId))
    const channelSwitch = guest.getByRole('switch', { name: /Evening show/ })
    await expect(channelSwitch).not.toBeChecked()
    await expect(channelSwitch).toHaveAttribute('aria-disabled', 'true')
  })

  await test.step('removes a withdrawn channel, and its link no longer restores it', async () => {
    await card.getByRole('button', { name: 'Remove Zoe' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove access' }).click()
    await expect(card).toContainText('Not shared with any project.')
    await guest.reload()
    await expect(guest.getByText('No channels yet')).toBeVisible()
    await guest.goto(link)
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText('This invitation is no longer valid')
  })

  await test.step('shares by project id: accepted in the tab of shared channels, then transferred', async () => {
    const { results } = await api(projects.list, { limit: 1 }, { as: zoe })
    await card.getByRole('button', { name: 'Share…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Id of the project').fill(results[0]?.project.external_id ?? '')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await guest.goto(paths.channels(zoe.projectId, 'shared'))
    await guest.getByRole('button', { name: 'Accept Evening show' }).click()
    await expect(guest.getByRole('region', { name: 'Shared with this project' })).toContainText('Evening show')
    await page.reload()
    await card.getByRole('button', { name: 'Transfer to Zoe' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Transfer' }).click()
    await expect(card).toContainText('Zoe lets this project use it.')
  })
})
