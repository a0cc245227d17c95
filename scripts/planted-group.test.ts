// A group is three files, a setting is one: a planted one of each is served, routed and read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PlantedTree } from './planted-tree.ts'

/** Three files of a group, and one with a setting. */
const planted: Readonly<Record<string, string>> = {
  'contract/areas/help/words.ts': `import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
const any = { input: z.object({}), output: z.object({ word: z.string() }), auth: 'none', scope: 'any', provenance: 'decided' } as const
export const words = group('help.words', { prefix: 'word', title: 'Word' }, {
  get: read('', { ...any, name: 'Get a word' }),
  set: write('POST', '', { ...any, name: 'Set a word', stale: ['help.words.get'] }),
})
`,
  'server/areas/help/words.ts': `import { words } from '#contract/areas/help/words.ts'
import { implement } from '#server/core/implement.ts'
export const wordRoutes = implement(words, { get: () => ({ word: 'planted' }), set: () => ({ word: 'set' }) })
`,
  'src/areas/help/words-page.tsx': `import { useQuery } from '@tanstack/react-query'
import { words } from '#contract/areas/help/words.ts'
import { q } from '#src/api/query.ts'
export const pagePath = '/words'
export const handle = { title: 'help:title' }
export function Component() {
  return <p>{useQuery(q(words.get, {})).data?.word}</p>
}
`,
  'server/domain/chat/planted.ts': `import { env, settings, whole } from '#server/core/variables.ts'
import type { Settings } from '#server/core/settings.ts'
export const plantedSettings = settings({ plantDays: env('PLANT_DAYS', whole(1, 9), '7', 'Days of the plant, 1 to 9') })
export const daysOf = ({ plantDays }: Pick<Settings, 'plantDays'>): number => plantDays
`,
}

// One copy for both: a check of its types takes 20 s of processor time.
const tree = new PlantedTree()
let refused = ''
beforeAll(() => {
  for (const [path, text] of Object.entries(planted)) tree.write(path, text)
  refused = tree.node('scripts/house/registries.ts').stderr
})
afterAll(() => tree.remove())

test('serves and shows a group of three new files', () => {
  expect(refused).toBe('')
  const shown = tree.evaluate(
    `
    import { readConfig } from '#server/app/settings.ts'
    import { createApp } from '#server/app/create-app.ts'
    import { operations } from '#contract/index.ts'
    const app = await createApp({ config: readConfig({ DATA_DIR: '.', RELAY: 'off', LOG_LEVEL: 'fatal', CHAT: 'off' }) })
    const { body } = await app.inject({ url: '/method/word?v=1' })
    console.log(JSON.stringify([body, operations.find(({ id }) => id === 'help.words.set').stale]))
    await app.close()
    process.exit()`,
  )
  expect(shown.stderr).toBe('')
  expect(JSON.parse(shown.stdout)).toEqual(['{"word":"planted"}', ['help.words.get']])
  const pages = tree.read('src/app/pages.gen.ts')
  expect(pages).toContain("'/words': () => import('#src/areas/help/words-page.tsx'),")
})

test('reads and documents a setting of one new entry', () => {
  const read = (value: string) =>
    tree
      .evaluate(
        `
      import { readConfig } from '#server/app/settings.ts'
      import { daysOf } from '#server/domain/chat/planted.ts'
      try { console.log(daysOf(readConfig({ PLANT_DAYS: '${value}' }))) } catch (error) { console.log(error.message) }`,
      )
      .stdout.trim()
  expect(read('3')).toBe('3')
  expect(read('70')).toBe('PLANT_DAYS is not valid, got "70". Days of the plant, 1 to 9')
  expect(tree.read('docs/configuration.md')).toMatch(/^\| `PLANT_DAYS` +\| `7` +\| Days of the plant, 1 to 9 +\|$/m)
})

test('the types of both hold', () => {
  expect(tree.typeErrors(Object.keys(planted).filter((path) => !path.startsWith('contract/')))).toBe('')
})
