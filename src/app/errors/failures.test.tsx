// Failures of the service and of the network, as pages show them.
import { vi } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { paths } from '#src/lib/paths.ts'
import { button } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('shows a refusal in the language of the page', async ({ open, user, person, answer }) => {
  const messages: Readonly<Record<string, string>> = { en: 'You have no right to this', ru: 'У вас нет прав на это' }
  answer(projects.members, (_, { searchParams }) => {
    const msg = messages[searchParams.get('language') ?? ''] ?? ''
    return Response.json({ error: { name: 'Forbidden', msg, options: {}, data: {} } }, { status: 403 })
  })
  await open(paths.project(person.projectId, 'members'))
  await screen.findByText('You have no right to this')
  await user.click(await button(/^EN: Language/))
  await user.click(await button('Русский'))
  await screen.findByText('У вас нет прав на это')
  expect(screen.queryByText('You have no right to this')).toBeNull()
})

test('sends nothing while offline, and nothing later', async ({ open, user, person, api, answer }) => {
  const stream = { rtmp_url: 'rtmp://live.twitch.tv/app', stream_key: 'live_One' }
  const place = { project_id: person.projectId }
  const { channel_id } = await api(addChannel.any, { ...place, type: 'twitch', name: 'One', ...stream })
  const sent: string[] = []
  for (const operation of [channels.setStatus, channels.bulkStatus])
    answer(operation, (send) => {
      sent.push(operation.id)
      return navigator.onLine ? send() : Promise.reject(new TypeError('Failed to fetch'))
    })
  await open(paths.channels(person.projectId))
  const toggle = () => screen.findByRole('switch')
  await expect.poll(toggle).toBeChecked()
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  dispatchEvent(new Event('offline'))
  await user.click(await toggle())
  await screen.findByText(/You are offline, so nothing was sent\./)
  await expect.poll(toggle).toBeChecked()

  sent.length = 0
  onLine.mockReturnValue(true)
  dispatchEvent(new Event('online'))
  await expect.poll(() => screen.queryByText(/You are offline/)).toBeNull()
  screen.getByText(/You were offline, so nothing was sent\. Try again\.$/)
  // A second write succeeds: a paused first one would be sent before it.
  await user.click(screen.getByRole('checkbox', { name: /One/ }))
  await user.click(await button('Switch on'))
  await expect.poll(() => sent).toEqual([channels.bulkStatus.id])
  await expect.poll(toggle).toBeChecked()
  expect(await api(channels.get, { ...place, channel_id })).toMatchObject({ active: true })
})
