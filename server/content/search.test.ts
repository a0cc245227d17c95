import fc from 'fast-check'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#server/core/root.ts'
import { contentFolder } from '#server/testing/content.ts'
import { listFiles } from './files.ts'
import { readLibrary } from './library.ts'
import { searchTexts } from './search.ts'
import { articlesOf } from './views.ts'

const article = (title: string, text: string, keywords = '') =>
  `---\ntitle: ${title}\nkeywords: [${keywords}]\n---\n${text}\n`

async function searchIn(folder: string, prefix = '') {
  const { files } = await listFiles(folder, prefix)
  const library = await readLibrary(files, () => {})
  return (language: 'en' | 'ru' | 'cn', query: string) =>
    searchTexts(library, language, articlesOf(library, language), query)
}

const own = () =>
  searchIn(
    contentFolder({
      'help/en/start/key.md': article('Stream key', 'Copy the key.', 'secret'),
      'help/en/start/quality.md': article(
        'Bitrate',
        `${'Long text. '.repeat(100)}The keyframe interval is two seconds.`,
      ),
      'help/ru/start/key.md': article('Ключ потока', 'Ещё раз скопируйте ключ. Трансляция начнётся.'),
      'help/cn/start/key.md': article('推流码', '请在平台的直播后台复制推流码，然后粘贴。'),
    }),
  )

const titles = async (found: ReturnType<typeof searchTexts>) => (await found).map(({ text }) => text.title)

test('finds beginnings, small errors and keywords; titles weigh most', async () => {
  const search = await own()
  expect(await titles(search('en', 'key'))).toEqual(['Stream key', 'Bitrate'])
  expect(await titles(search('en', 'bitrat'))).toEqual(['Bitrate'])
  expect(await titles(search('en', 'secrt'))).toEqual(['Stream key'])
  expect((await search('en', 'keyframe interval'))[0]?.place().snippet).toMatch(
    /^… .*keyframe interval is two seconds\.$/,
  )
})

test('shows the place of the word itself before that of a longer word', async () => {
  const text = 'A keyframe every two seconds: keyframes and keys.\n\nCopy the key.'
  const search = await searchIn(contentFolder({ 'help/en/start/key.md': article('Stream', text) }))
  expect((await search('en', 'key'))[0]?.place().snippet).toBe('Copy the key.')
  expect((await search('en', 'keyfr'))[0]?.place().snippet).toMatch(/^A keyframe/)
})

test('finds forms of Russian words, with ё as е', async () => {
  const search = await own()
  expect(await titles(search('ru', 'трансляции'))).toEqual(['Ключ потока'])
  expect(await titles(search('ru', 'ЕЩЕ'))).toEqual(['Ключ потока'])
})

test('finds Chinese words without spaces', async () => {
  const search = await own()
  expect(await titles(search('cn', '直播'))).toEqual(['推流码'])
  expect(await titles(search('cn', '复制推流码'))).toEqual(['推流码'])
})

test('answers any query', async () => {
  const search = await searchIn(join(root, 'handbook'), 'help')
  const hostile = [
    '',
    ' ',
    '*',
    '"',
    '\\',
    '%',
    '../..',
    '(((',
    '__proto__',
    'constructor',
    '\u202E',
    '😀',
    'a'.repeat(255),
    'a '.repeat(127),
    '推'.repeat(255),
  ]
  for (const query of hostile) for (const language of ['en', 'ru', 'cn'] as const) await search(language, query)
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 255, unit: 'grapheme' }), async (query) => {
      for (const { place } of await search('en', query)) expect(place().snippet.length).toBeLessThanOrEqual(200)
    }),
    { numRuns: 100 },
  )
})

test('finds no targets of links and no ids of headings', async () => {
  const folder = contentFolder({
    'help/en/start/key.md': article('Key', '## Copy {#hidden-id}\n\nSee [quality](quality.md#secretplace).'),
    'help/en/start/quality.md': article('Quality', 'Bitrate.'),
  })
  const search = await searchIn(folder)
  expect(await titles(search('en', 'secretplace'))).toEqual([])
  expect(await titles(search('en', 'hidden'))).toEqual([])
  expect((await search('en', 'copy'))[0]?.place()).toEqual({ snippet: 'Copy', anchor: 'hidden-id' })
})
