// The Media page on the real service.
import { within } from '@testing-library/react'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { videos } from '#contract/areas/media/videos.ts'
import { paths } from '#src/lib/paths.ts'
import { button, confirm, dialog, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'
import { report } from '#server/testing/nodes.ts'
import { addSomeFilm } from '#server/testing/films.ts'
import { someFile, someNodeOf } from '#server/testing/on-air.ts'
import { somePicture } from '#server/testing/pictures.ts'

const file = (name: string, bytes = 1_000) => new File([new Uint8Array(bytes)], name, { type: 'video/mp4' })
const rowOf = async (name: string): Promise<HTMLElement> => {
  // Choices of the lists below have the names of files, too.
  const rows = (await screen.findAllByText(name)).map((part) => part.closest('li'))
  const row = rows.find((one) => one !== null)
  if (!row) throw new Error(`${name} is in no list`)
  return row
}

test('uploads a picture, chooses it in place of the stream, and deletes it', async ({ open, user, person, api }) => {
  await open(paths.media(person.projectId))
  const lost = await screen.findByLabelText<HTMLSelectElement>('While the encoder is lost')
  const input = screen.getByLabelText('Choose files')
  await user.upload(input, new File(['<svg/>'], 'x.png', { type: 'image/png' }))
  await screen.findByText('x.png is not a JPEG or PNG. Choose another picture.')
  await user.upload(input, new File([somePicture(5_000, 10)], 'wide.jpg', { type: 'image/jpeg' }))
  await screen.findByText(/Not saved\. The picture may be at most 4096 pixels/)
  await user.upload(input, new File([somePicture()], 'Back soon.jpg', { type: 'image/jpeg' }))
  await screen.findByRole('button', { name: 'Delete: Back soon' })
  await user.selectOptions(lost, 'Back soon')
  const chosen = async () => (await api(streamKeys.get, { project_id: person.projectId })).lost_media_service_file_id
  await expect.poll(chosen).toBeTypeOf('number')
  expect(lost.selectedOptions[0]).toHaveTextContent('Back soon')
  await within(await rowOf('Back soon')).findByText('Encoder lost')
  await user.click(await button('Delete: Back soon'))
  await within(await dialog()).findByText(/It is shown while the encoder is lost/)
  await confirm(user)
  await expect.poll(chosen).toBe(null)
  await expect.poll(() => lost.selectedOptions[0]?.textContent).toBe('The last frame')
})

test('says that there is nothing yet, and how much space is left', async ({ open, person, api }) => {
  const { video_limit: limit } = await api(videos.limits, { project_id: person.projectId })
  await open(paths.media(person.projectId))
  await screen.findByText('No videos yet')
  const gigabytes = limit / 1_000_000_000
  await screen.findByText(new RegExp(`0 bytes of ${gigabytes} GB used, ${gigabytes} GB left`))
  expect(screen.getByRole('link', { name: 'Storage plans' })).toHaveAttribute(
    'href',
    paths.tariffs(person.projectId, 'storage'),
  )
})

test('lists videos and recordings, renames and deletes them', async ({ open, user, fill, person, service, api }) => {
  const { projectId } = person
  await addSomeFilm(service.services, projectId, { name: 'Trailer' })
  const node = someNodeOf(service)
  await node.begin(projectId)
  const recording = someFile(projectId, service.clock.now().getTime())
  await node.tell(projectId, { type: 'recording', recording })
  await open(paths.media(projectId))
  const list = await region('Videos')
  await within(list).findByText('Recording')
  expect(await rowOf('Trailer')).toHaveTextContent('1:30 · 12 MB · 1920 × 1080')

  await user.click(await button('Rename: Trailer'))
  await fill('Name', '')
  await user.click(await button('Save', await dialog()))
  await within(await dialog()).findByText('Fill in this field.')
  await fill('Name', 'Opening')
  await user.click(await button('Save', await dialog()))
  await within(list).findByText('Opening')

  await user.click(await button('Delete: Opening'))
  await confirm(user)
  await expect.poll(() => within(list).queryByText('Opening')).toBeNull()
  const { results } = await api(videos.list, { project_id: projectId })
  expect(results.map(({ kind }) => kind)).toEqual(['recording'])
})

test('shows each step of a film, and why one failed', async ({ open, user, person, service, api }) => {
  const { projectId } = person
  const add = (name: string, about: Parameters<typeof addSomeFilm>[2]) =>
    addSomeFilm(service.services, projectId, { name, ...about })
  await add('Waiting', { state: 'uploaded' })
  await add('Working', { state: 'preparing', done: 40 })
  await add('Broken', { state: 'failed', error: 'unreadable' })
  await add('Stopped', { state: 'cancelled' })
  await open(paths.media(projectId))
  expect(await rowOf('Waiting')).toHaveTextContent(
    'Uploaded. Waiting to be prepared, which needs a server with ffmpeg.',
  )
  expect(await rowOf('Working')).toHaveTextContent('Preparing: 40%')
  expect(within(await rowOf('Working')).getByRole('progressbar', { name: 'Working' })).toHaveAttribute('value', '40')
  expect(await rowOf('Broken')).toHaveTextContent('Export it as MP4 and upload it again.')
  expect(await rowOf('Stopped')).toHaveTextContent('Cancelled. Nothing of it is kept.')

  await user.click(await button('Cancel: Working'))
  await dialog('Cancel the upload of “Working”?')
  await confirm(user)
  await expect.poll(() => screen.queryByText('Working')).toBeNull()
  const { results } = await api(mediaFiles.list, { project_id: projectId })
  expect(results.map(({ name }) => name)).not.toContain('Working')
})

test('continues an interrupted upload with the same file only', async ({ open, user, person, service }) => {
  const film = await addSomeFilm(service.services, person.projectId, {
    name: 'Talk',
    state: 'uploading',
    bytes: 2_000,
  })
  await service.app.db
    .insertInto('media_uploads')
    .values({ media_id: film.id, file_id: 'a'.repeat(32), length: 2_000, received: 500, date_touch: film.date_create })
    .execute()
  await open(paths.media(person.projectId))
  expect(await rowOf('Talk')).toHaveTextContent('25% are uploaded; choose the same file to continue.')
  await user.upload(await screen.findByLabelText('Choose the file again: Talk'), file('Talk.mp4', 3_000))
  await screen.findByText('This is another file. The right one has 2 kB.')
})

test('offers videos of at most five minutes in place of the stream', async ({ open, person, service }) => {
  await addSomeFilm(service.services, person.projectId, { name: 'Short' })
  await addSomeFilm(service.services, person.projectId, { name: 'Long', duration_ms: 301_000 })
  await open(paths.media(person.projectId))
  const lost = await screen.findByLabelText<HTMLSelectElement>('While the encoder is lost')
  const offered = () => [...lost.options].map(({ text }) => text)
  await expect.poll(offered).toEqual(['The last frame', 'Short'])
})

test('says that servers have no room for a chosen video, and offers none without any', async ({
  open,
  user,
  person,
  service,
}) => {
  const add = (name: string, bytes: number) => addSomeFilm(service.services, person.projectId, { name, bytes })
  await add('Small', 1_000_000)
  await add('Middle', 5_000_000)
  await add('Large', 9_000_000)
  await report(service.services, { node: 'one', plays: true, filmBytesMax: 4_000_000 })
  await report(service.services, { node: 'two', plays: true, filmBytesMax: 6_000_000 })
  await open(paths.media(person.projectId))
  const lost = await screen.findByLabelText<HTMLSelectElement>('While the encoder is lost')
  await expect.poll(() => [...lost.options].map(({ text }) => text)).toEqual(['The last frame', 'Middle', 'Small'])
  await user.selectOptions(lost, 'Middle')
  await screen.findByText(/^Not every server has room for “Middle” \(5 MB\)\./)
  await user.selectOptions(lost, 'Small')
  await expect.poll(() => screen.queryByText(/has room for/)).toBeNull()
})

test('shows viewers the files without what they may not do', async ({ open, person, another, service }) => {
  await addSomeFilm(service.services, person.projectId, { name: 'Trailer' })
  const viewer = await another('Vera')
  await service.join(viewer, person.projectId, 0)
  await open(paths.media(person.projectId), viewer)
  await rowOf('Trailer')
  await screen.findByText('Only editors and owners can upload files.')
  expect(screen.queryByLabelText('Choose files')).toBeNull()
  expect(screen.queryByRole('button', { name: /^(Rename|Delete):/ })).toBeNull()
  expect(await screen.findByLabelText('While the encoder is lost')).toBeDisabled()
})
