// Titles and planned broadcasts of schedules, on the real service beside doubles of the platforms.
import { within } from '@testing-library/react'
import { afterAll } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { addSomeFilm } from '#server/testing/films.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { DoubleReply, platformDouble } from '#server/testing/providers/double.ts'
import { twitchDouble } from '#server/testing/providers/platforms.ts'
import { YoutubeLive } from '#server/testing/providers/youtube-live.ts'
import { paths } from '#src/lib/paths.ts'
import { button, dialog } from '#src/testing/find.ts'
import { expect, screen, testWith } from '#src/testing/page-test.tsx'
import { chooseVideo, inAWeek } from '#src/testing/schedules.ts'

const youtube = new YoutubeLive(() => Date.now())
const double = await platformDouble([youtube.platform, twitchDouble])
double.tokens.add('*')
afterAll(() => double.close())

const test = testWith(registeredAt(double.base))

test('plans a broadcast at YouTube with the title of its channel, and links to it', async ({
  open,
  user,
  fill,
  person,
  service,
  api,
}) => {
  const { projectId: project_id } = person
  await addSomeFilm(service.services, project_id, { name: 'Talk' })
  const channel_id = (await connect(service, person, 'youtube')).body.channel_id ?? 0
  await api(channels.setStatus, { channel_id, status: true })
  await open(paths.broadcasts(project_id, 'schedule'))
  await user.click(await button('New schedule'))
  const form = within(await dialog('New schedule'))
  await chooseVideo(user, /^Talk/)
  await fill('Date', inAWeek())
  await fill('Time', '20:00')
  await form.findByText(/as soon as you save, so that viewers can set a reminder/)
  await fill('Title on Ann on air', 'x'.repeat(101))
  await user.click(form.getByLabelText('Announce on YouTube'))
  await user.selectOptions(await form.findByLabelText('Who can watch'), 'Anyone with the link')
  await fill('Description', 'With guests')
  await user.selectOptions(form.getByLabelText('If your encoder drops out and comes back'), 'stay')
  await user.click(form.getByRole('button', { name: 'Add to schedule' }))
  await form.findByText('The title of “Ann on air” does not fit: its platform takes no titles, or not this one.')
  await fill('Title on Ann on air', 'Film night')
  await user.click(form.getByRole('button', { name: 'Add to schedule' }))
  await screen.findByText(/^Ann on air: announced on YouTube for /)
  expect(screen.getByRole('link', { name: 'Open on YouTube' })).toHaveAttribute(
    'href',
    'https://www.youtube.com/watch?v=made-1',
  )
  expect(youtube.made).toMatchObject([
    { snippet: { title: 'Film night', description: 'With guests' }, status: { privacyStatus: 'unlisted' } },
  ])
  const [saved] = (await api(scheduler.list, { project_id })).results
  expect(saved).toMatchObject({ return: 'stay', titles: [{ channel_id, title: 'Film night' }] })

  youtube.fateOf = (name) =>
    name === 'PUT liveBroadcasts' ? new DoubleReply(403, { error: { code: 403, message: 'Not now.' } }) : null
  await user.click(await button('Edit: Talk'))
  const again = within(await dialog('Edit schedule'))
  expect(again.getByLabelText<HTMLInputElement>('Announce on YouTube').checked).toBe(true)
  await fill('Title on Ann on air', 'Late night')
  await user.click(again.getByRole('button', { name: 'Save' }))
  const reason = async () => (await api(scheduler.list, { project_id })).results[0]?.planned_at[0]?.reason
  await expect.poll(reason).toBe('platform-refused')
  await open(paths.broadcasts(project_id, 'schedule'))
  await screen.findByText(/but the last change failed\. YouTube refused\. YouTube: “Not now\.”/)
})

test('offers neither where they make no sense', async ({ open, user, person, service, api }) => {
  const { projectId: project_id } = person
  await addSomeFilm(service.services, project_id, { name: 'Talk' })
  const stream = { rtmp_url: 'rtmp://a.rtmp.youtube.com/live2', stream_key: 'abcd' }
  await api(addChannel.any, { project_id, type: 'youtube', name: 'Mine', ...stream })
  await connect(service, person, 'twitch')
  await open(paths.broadcasts(project_id, 'schedule'))
  await user.click(await button('New schedule'))
  const form = within(await dialog('New schedule'))
  await form.findByLabelText('Title on Ann')
  expect(form.queryByLabelText('Title on Mine')).toBeNull()
  expect(form.queryByLabelText('Announce on YouTube')).toBeNull()
})
