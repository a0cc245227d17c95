// The Schedule tab on the real service.
import { within } from '@testing-library/react'
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { paths } from '#src/lib/paths.ts'
import { button, confirm, dialog } from '#src/testing/find.ts'
import { expect, type Service, screen, test } from '#src/testing/page-test.tsx'
import { chooseVideo, inAWeek } from '#src/testing/schedules.ts'
import { ageJobs } from '#server/testing/jobs.ts'
import { report } from '#server/testing/nodes.ts'
import { addSomeFilm } from '#server/testing/films.ts'

const addFilms = async ({ services }: Service, projectId: number): Promise<number[]> => {
  const films = []
  for (const name of ['Opening', 'Talk', 'Credits']) films.push(await addSomeFilm(services, projectId, { name }))
  return films.map(({ id }) => id)
}

test('plans videos in their order, and shows the next dates before it saves', async ({
  open,
  user,
  fill,
  person,
  service,
  api,
}) => {
  const { projectId: project_id } = person
  const [opening, talk] = await addFilms(service, project_id)
  await open(paths.broadcasts(project_id, 'schedule'))
  await screen.findByText('Nothing is scheduled')
  await user.click(await button('New schedule'))
  const form = within(await dialog('New schedule'))
  await user.click(form.getByRole('button', { name: 'Add to schedule' }))
  await form.findByText('Add at least one video.')

  await chooseVideo(user, /^Talk/)
  await chooseVideo(user, /^Opening/)
  await user.click(await form.findByRole('button', { name: 'Move up: Opening' }))
  const items = () => form.getAllByRole('button', { name: /^Take out/ }).map((one) => one.getAttribute('aria-label'))
  await expect.poll(items).toEqual(['Take out: Opening', 'Take out: Talk'])

  const zone = form.getByLabelText<HTMLSelectElement>('Time zone')
  expect(zone.value).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone)
  await fill('Date', inAWeek())
  await fill('Time', '20:00')
  await user.selectOptions(form.getByLabelText('Repeat'), 'Every day')
  const dates = () => form.getByText('Next dates').parentElement?.querySelectorAll('li').length
  await expect.poll(dates).toBe(5)
  await user.selectOptions(form.getByLabelText('Until'), 'A number of times')
  await fill('Times', '3')
  await expect.poll(dates).toBe(3)
  await user.click(form.getByRole('button', { name: 'Add to schedule' }))

  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  const { results } = await api(scheduler.list, { project_id })
  const [saved] = results
  expect(saved).toMatchObject({
    name: 'Opening',
    video: { ids: [opening, talk], loop: false },
    channel_ids: [],
    repeat: { every: 'day', n: 1, count: 3 },
    late: 'begin',
  })
  expect(saved?.next).toHaveLength(3)
  await screen.findByText(/^Every day, 20:00, 3 times$/)
  await screen.findByText(/^2 videos · .* · all channels that are on$/)
})

test('changes a schedule, and deletes it', async ({ open, user, fill, person, service, api }) => {
  const { projectId: project_id } = person
  const ids = await addFilms(service, project_id)
  const start_at = Math.ceil(service.clock.now().getTime() / 60_000) * 60 + 86_412
  const { id } = await api(scheduler.create, {
    project_id,
    name: 'Evening',
    channel_ids: [],
    start_at,
    zone: 'Asia/Tokyo',
    video: { ids, loop: true },
    late: 'join',
  })
  await open(paths.broadcasts(project_id, 'schedule'))
  await screen.findByText(/Asia\/Tokyo, GMT\+9/)
  await user.click(await button('Edit: Evening'))
  const form = within(await dialog('Edit schedule'))
  // The zone of the schedule, not that of the user.
  expect(form.getByLabelText<HTMLSelectElement>('Time zone').value).toBe('Asia/Tokyo')
  await user.click(await form.findByRole('button', { name: 'Take out: Talk' }))
  await fill('Name', 'Night')
  await user.selectOptions(form.getByLabelText('Repeat'), 'Every week')
  await user.click(form.getByRole('button', { name: 'Save' }))
  await form.findByText('A loop that repeats needs an end. Choose one.')
  await user.selectOptions(form.getByLabelText('Ends'), 'At a date and time')
  await user.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('Night')
  const saved = await api(scheduler.get, { project_id, id })
  expect(saved).toMatchObject({
    start_at,
    zone: 'Asia/Tokyo',
    video: { ids: [ids[0], ids[2]] },
    repeat: { every: 'week' },
  })

  await user.click(await button('Delete: Night'))
  await confirm(user)
  await screen.findByText('Nothing is scheduled')
})

test('shows a refusal of the service beside its field', async ({ open, user, fill, person, service }) => {
  await addFilms(service, person.projectId)
  await open(paths.broadcasts(person.projectId, 'schedule'))
  await user.click(await button('New schedule'))
  const form = within(await dialog('New schedule'))
  await chooseVideo(user, /^Talk/)
  await user.selectOptions(form.getByLabelText('Ends'), 'At a date and time')
  await fill('End date', '2020-01-01')
  await user.click(form.getByRole('button', { name: 'Add to schedule' }))
  await form.findByText('The end must be after the begin.')
  expect(form.getByLabelText('End date')).toHaveFocus()
})

test('shows what was missed, and plans it again', async ({ open, user, person, service, api }) => {
  const { projectId: project_id } = person
  const [opening = 0] = await addFilms(service, project_id)
  const start_at = Math.floor(service.clock.now().getTime() / 1000) + 60
  await api(scheduler.create, {
    project_id,
    channel_ids: [],
    start_at,
    video: { ids: [opening] },
    late: 'skip',
    late_max: 0,
  })
  service.clock.advance(300_000)
  await ageJobs(service.app.db, 300_000)
  const lastOf = async () => (await api(scheduler.list, { project_id })).results[0]?.last?.state
  await expect.poll(lastOf).toBe('missed')
  await open(paths.broadcasts(project_id, 'schedule'))
  await screen.findByText(/^Missed on/)
  await screen.findByText('Nothing is coming.')
  await user.click(await button('Schedule again: Opening'))
  const form = within(await dialog('New schedule'))
  expect(await form.findByRole('button', { name: 'Take out: Opening' })).toBeVisible()
})

test('shows those that are over in pages', async ({ open, user, person, service, api }) => {
  const { projectId: project_id } = person
  const [opening = 0] = await addFilms(service, project_id)
  const start_at = Math.floor(service.clock.now().getTime() / 1000) + 60
  const plan = { project_id, channel_ids: [], video: { ids: [opening] }, late: 'skip' as const, late_max: 0 }
  for (let count = 1; count <= 22; count++)
    await api(scheduler.create, { ...plan, name: `Night ${count}`, start_at: start_at + count })
  await api(scheduler.create, { ...plan, name: 'Tomorrow', start_at: start_at + 86_400 })
  service.clock.advance(300_000)
  await ageJobs(service.app.db, 300_000)
  const missed = async () => (await api(scheduler.list, { project_id, active: false })).total
  await expect.poll(missed, { timeout: 20_000 }).toBe(22)
  await open(paths.broadcasts(project_id, 'schedule'))
  await screen.findByText('Tomorrow')
  await screen.findByText('Night 22')
  expect(screen.queryByText('Night 2')).toBeNull()
  await user.click(await screen.findByRole('link', { name: 'Next page' }))
  await screen.findByText('Night 2')
  expect(screen.queryByText('Night 22')).toBeNull()
  expect(screen.getByText('Tomorrow')).toBeVisible()
})

test('says which videos are too large for servers, and why one is refused', async ({
  open,
  user,
  fill,
  person,
  service,
}) => {
  const { projectId: project_id } = person
  const add = (name: string, bytes: number) =>
    addSomeFilm(service.services, project_id, { name, bytes, duration_ms: 600_000 })
  await add('Middle', 5_000_000)
  await add('Large', 9_000_000)
  await report(service.services, { node: 'one', plays: true, filmBytesMax: 4_000_000 })
  await report(service.services, { node: 'two', plays: true, filmBytesMax: 6_000_000 })
  await open(paths.broadcasts(project_id, 'schedule'))
  await user.click(await button('New schedule'))
  const form = within(await dialog('New schedule'))
  await chooseVideo(user, /^Middle/)
  await form.findByText('not every server has room for it (5 MB). The others skip it.')
  await chooseVideo(user, /^Large/)
  await form.findByText('no server has room for it (9 MB). Choose a smaller video.')
  await fill('Date', inAWeek())
  await fill('Time', '20:00')
  await user.click(form.getByRole('button', { name: 'Add to schedule' }))
  await form.findByText(/“Large” has 9 MB, and the servers play videos of at most 6 MB/)
  await user.click(form.getByRole('button', { name: 'Take out: Large' }))
  await user.click(form.getByRole('button', { name: 'Add to schedule' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
})
