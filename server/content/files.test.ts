import { expect, test } from 'vitest'
import { join } from 'node:path'
import { root } from '#server/core/root.ts'
import { contentFolder } from '#server/testing/content.ts'
import { listFiles } from './files.ts'
import { readLibrary } from './library.ts'

test('lists texts and images in the order of their paths', async () => {
  const folder = contentFolder({
    'help/en/start/b.md': 'b',
    'help/en/start/a.md': 'a',
    'help/en/images/one.png': 'image',
    'help/en/notes.txt': 'no text of the handbook',
    'help/.hidden/c.md': 'c',
    'blog/en/new.md': 'new',
  })
  const { files, problems } = await listFiles(folder)
  expect(files.map(({ path }) => path)).toEqual([
    'blog/en/new.md',
    'help/en/images/one.png',
    'help/en/start/a.md',
    'help/en/start/b.md',
  ])
  expect(problems).toEqual([])
})

test('reads the handbook in few turns of a busy event loop', async () => {
  const turnMs = 10
  let turns = 0
  let isBusy = true
  const occupy = (): void => {
    if (!isBusy) return
    turns++
    for (const until = performance.now() + turnMs; performance.now() < until;);
    setImmediate(occupy)
  }
  setImmediate(occupy)
  const { files } = await listFiles(join(root, 'handbook'), 'help')
  const { texts } = await readLibrary(files, () => {})
  isBusy = false
  expect(texts.help.size).toBeGreaterThan(28)
  // One operation after the other takes about 250.
  expect(turns).toBeLessThan(100)
})
