// The card of a remote source on the real service.
import { paths } from '#src/lib/paths.ts'
import { button, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'
import { remoteSource } from '#contract/areas/ingest/remote-source.ts'

test('starts, stops and forgets a remote source, and shows no more than its host', async ({
  open,
  user,
  fill,
  person,
  api,
}) => {
  const { projectId: project_id } = person
  const source = () => api(remoteSource.get, { project_id })
  await open(paths.ingest(project_id))
  const card = await region('Stream from an address')
  await fill('Address', 'ftp://example.com/x')
  await user.click(await button('Start', card))
  await screen.findByText(/Enter an address that begins with rtmp/)
  await fill('Address', 'rtmp://example.com/live/secret')
  await user.click(await button('Start', card))
  await screen.findByText('Waiting for a server')
  expect(card.textContent).toContain('rtmp://example.com')
  expect(document.body.textContent).not.toContain('live/secret')
  expect(await source()).toMatchObject({ is_on: true, state: 'waiting' })
  await user.click(await button('Stop', card))
  await user.click(await button('Remove the address', card))
  await expect.poll(async () => (await source()).address).toBe('')
})
