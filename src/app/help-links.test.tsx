// Pages show the link to the article that answers their questions. The whole table is in src/lib/articles.test.ts.
import type { Article } from '#src/lib/articles.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

const pages: readonly (readonly [string, (projectId: number) => string, readonly Article[]])[] = [
  ['Home', paths.home, ['start/first-broadcast']],
  ['stream setup', paths.ingest, ['start/obs', 'start/encoders', 'start/srt-rtmp']],
  ['transcoders', (id) => paths.ingest(id, 'transcoders'), ['stream/transcoders']],
  ['pull keys', (id) => paths.ingest(id, 'pull'), ['stream/pull-keys']],
  ['shared channels', (id) => paths.channels(id, 'shared'), ['team/sharing']],
  ['chat', paths.chat, ['chat/all-platforms']],
  ['notification settings', (id) => paths.notifications(id, 'settings'), ['notifications/settings']],
  ['members', (id) => paths.project(id, 'members'), ['team/roles']],
  ['plans', paths.tariffs, ['plans/periods']],
  ['API reference', paths.reference, ['server/api']],
]

test.for(pages)('%s links to its articles', async ([, path, articles], { open, person }) => {
  await open(path(person.projectId))
  const shown = () => screen.queryAllByRole('link').map((link) => link.getAttribute('href'))
  await expect.poll(shown, { timeout: 20_000 }).toEqual(expect.arrayContaining(articles.map((one) => paths.help(one))))
})
