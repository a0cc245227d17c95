// Checks the lint with mistakes in a copy of the configuration: it has to find each with the intended rule, and to accept
// allowed code. A linter that checked no file would report no errors.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { concepts, exceptions, layers } from './house/import-rules.ts'
import { plant } from './house/planted.ts'
import { bin } from './house/step.ts'

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[]
}

function lint(cwd: string): Report {
  const args = [bin('oxlint'), '--format', 'json']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  if (!stdout.startsWith('{')) throw new Error(stdout + stderr)
  return JSON.parse(stdout)
}

const imports = (path: string): string => `import { x } from '${path}'\nexport const y = x\n`
const statement = `export const find = (db: { selectFrom: (table: string) => string }) => db.selectFrom('users')\n`
const sqlTag = "import { sql } from 'kysely'\nexport const one = sql`select 1`\n"
const restricted = 'eslint(no-restricted-imports)'

/** File, its content, and the rule that has to find it. */
const mistakes: readonly (readonly [file: string, content: string, rule: string])[] = [
  ['contract/core/a.ts', imports('#contract/entities/x.ts'), restricted],
  ['contract/entities/a.ts', imports('#contract/areas/one/x.ts'), restricted],
  ['contract/areas/two/a.ts', imports('#contract/areas/one/x.ts'), restricted],
  ['contract/areas/two/b.ts', imports('../one/x.ts'), restricted],
  ['contract/areas/two/c.ts', imports('zod'), restricted],
  ['contract/areas/two/d.ts', imports('node:fs'), restricted],
  ['server/core/self.ts', imports('#server/core/x.ts'), restricted],
  ['server/core/a.ts', imports('#server/domain/x.ts'), restricted],
  ['server/db/a.ts', imports('#server/areas/one/x.ts'), restricted],
  ['server/domain/a.ts', imports('fastify'), restricted],
  ['server/domain/b.ts', imports('#server/areas/one/x.ts'), restricted],
  ['server/domain/account/a.ts', imports('#server/domain/projects/x.ts'), restricted],
  ['server/domain/projects/self.ts', imports('#server/domain/projects/x.ts'), restricted],
  ['server/domain/account/sql.ts', statement, 'eslint(no-restricted-properties)'],
  ['server/areas/two/sql-store.ts', statement, 'eslint(no-restricted-properties)'],
  ['server/app/sql.ts', statement, 'eslint(no-restricted-properties)'],
  ['server/domain/account/tag.ts', sqlTag, restricted],
  ['server/areas/two/tag.ts', sqlTag, restricted],
  ['server/areas/two/a.ts', imports('#server/areas/one/x.ts'), restricted],
  ['server/areas/two/b.ts', imports('#contract/areas/one/x.ts'), restricted],
  ['server/areas/two/c.ts', imports('#server/testing/x.ts'), restricted],
  ['server/areas/two/d.ts', imports('#src/lib/x.ts'), restricted],
  ['server/app/a.ts', imports('#src/lib/x.ts'), restricted],
  ['src/ui/a.ts', imports('#src/lib/x.ts'), restricted],
  ['src/ui/b.ts', imports('@tanstack/react-query'), restricted],
  ['integrations/client/a.ts', imports('#src/lib/x.ts'), restricted],
  ['integrations/client/b.ts', imports('zod/mini'), restricted],
  ['src/lib/c.ts', imports('#integrations/client/main.ts'), restricted],
  ['src/session/a.ts', imports('react'), restricted],
  ['src/session/b.ts', imports('#src/api/x.ts'), restricted],
  ['src/api/a.ts', imports('#src/components/x.ts'), restricted],
  ['src/api/b.ts', imports('#contract/index.ts'), restricted],
  ['src/components/a.ts', imports('#src/areas/one/x.ts'), restricted],
  ['src/areas/two/a.ts', imports('#src/areas/one/x.ts'), restricted],
  ['src/areas/two/b.ts', imports('../one/x.ts'), restricted],
  ['src/areas/two/c.ts', imports('#src/app/x.ts'), restricted],
  ['src/areas/two/d.ts', imports('#server/core/x.ts'), restricted],
  ['src/areas/two/e.ts', imports('#contract/index.ts'), restricted],
  ['src/areas/two/f.ts', `export const page = () => import('#src/areas/one/x.ts')\n`, restricted],
  ['src/areas/two/g.ts', `export { x } from '#src/areas/one/x.ts'\n`, restricted],
  ['src/areas/two/h.ts', `import type { X } from '#src/areas/one/x.ts'\nexport type Y = X\n`, restricted],
  ['src/app/a.ts', imports('#server/core/x.ts'), restricted],
  ['e2e/a.ts', imports('#src/areas/one/x.ts'), restricted],
  ['src/lib/CamelCase.ts', 'export const a = 1\n', 'unicorn(filename-case)'],
  [
    'src/lib/long.ts',
    Array.from({ length: 401 }, (_, i) => `export const a${i} = ${i}\n`).join(''),
    'eslint(max-lines)',
  ],
  ['src/lib/ring-a.ts', `import { b } from './ring-b.ts'\nexport const a: number = b\n`, 'import(no-cycle)'],
  ['src/lib/ring-b.ts', `import { a } from './ring-a.ts'\nexport const b: number = a\n`, 'import(no-cycle)'],
  ['src/lib/any.ts', 'export const a = (b: any) => b\n', 'typescript(no-explicit-any)'],
  ['src/lib/default.ts', 'export default 1\n', 'import(no-default-export)'],
  ['server/core/floating.ts', `export function f() {\n  Promise.resolve(1)\n}\n`, 'typescript(no-floating-promises)'],
  ['server/core/print.ts', `console.log(1)\n`, 'eslint(no-console)'],
  ['server/core/bare.ts', `// @ts-expect-error\nexport const a: number = ''\n`, 'typescript(ban-ts-comment)'],
  ['src/lib/hush.ts', `/* eslint-disable */\nexport const a = 1\n`, 'unicorn(no-abusive-eslint-disable)'],
]

const allowed: Readonly<Record<string, string>> = {
  'contract/core/x.ts': 'export const x = 1\n',
  'contract/entities/x.ts': imports('#contract/core/x.ts') + 'export { x }\n',
  'contract/areas/one/x.ts': imports('#contract/entities/x.ts') + 'export { x }\n',
  'contract/areas/one/own.ts': imports('./x.ts'),
  'contract/index.ts': imports('#contract/areas/one/x.ts') + 'export { x }\n',
  'server/core/x.ts': imports('#contract/core/x.ts') + 'export { x }\n',
  'server/core/below/x.ts': imports('#server/core/x.ts'),
  'server/domain/x.ts': imports('#server/core/x.ts') + 'export { x }\n',
  'server/domain/account/x.ts': imports('#server/core/x.ts') + 'export { x }\n',
  'server/domain/projects/x.ts': imports('#server/domain/account/x.ts') + 'export { x }\n',
  'server/domain/account/store.ts': statement + sqlTag,
  'server/domain/account/codes-store.ts': statement,
  'server/domain/platforms/below/x-store.ts': statement + sqlTag,
  'server/domain/account/sql.test.ts': statement,
  'server/db/sql.ts': statement + sqlTag,
  'server/domain/account/x.test.ts': imports('#server/domain/projects/x.ts'),
  'server/testing/x.ts': imports('#server/app/x.ts') + 'export { x }\n',
  'server/areas/one/x.ts': `import { x } from '#contract/areas/one/x.ts'\nimport { y } from '#server/domain/x.ts'\nexport const z = x + y\nexport { x }\n`,
  'server/areas/one/x.test.ts': imports('#server/testing/x.ts'),
  'server/app/x.ts': imports('#server/areas/one/x.ts') + 'export { x }\n',
  'src/lib/x.ts': imports('#contract/core/x.ts') + 'export { x }\n',
  'src/components/x.ts': imports('#src/lib/x.ts'),
  'src/areas/one/x.ts': imports('#contract/areas/one/x.ts') + 'export { x }\n',
  'src/areas/reference/all.ts': imports('#contract/index.ts'),
  'src/app/x.ts': imports('#src/areas/one/x.ts'),
}

const planted = plant({ ...allowed, ...Object.fromEntries(mistakes.map(([file, content]) => [file, content])) })
afterAll(planted.remove)
const found = lint(planted.folder)
const codesOf = (file: string): string[] =>
  found.diagnostics.filter(({ filename }) => filename.replaceAll('\\', '/').endsWith(file)).map(({ code }) => code)

describe('planted mistakes', () => {
  test.each(mistakes)('%s', (file, _content, rule) => {
    expect(codesOf(file)).toContain(rule)
  })
})

test('accepts allowed imports', () => {
  expect(Object.keys(allowed).filter((file) => codesOf(file).length > 0)).toEqual([])
})

test('checks every source file', () => {
  const sources = ['contract', 'server', 'src', 'e2e', 'scripts'].flatMap((side) =>
    readdirSync(side, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|mjs)$/.test(file))
      .map((file) => `${side}/${file.replaceAll('\\', '/')}`),
  )
  expect(sources.length).toBeGreaterThan(40)
  const { stdout } = spawnSync(process.execPath, [bin('oxlint'), '--debug=files'], { encoding: 'utf8' })
  const linted = new Set(stdout.split('\n'))
  expect(sources.filter((file) => !linted.has(file))).toEqual([])
})

test('has a row in the import rules for every folder of a side', () => {
  const known = new Set(layers.map((layer) => layer.folder))
  const folders = ['contract', 'server', 'src'].flatMap((side) =>
    readdirSync(side, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${side}/${entry.name}`),
  )
  expect(folders.filter((folder) => !known.has(folder))).toEqual([])
})

test('has every folder of server/domain in the order of concepts', () => {
  const folders = readdirSync('server/domain', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).toSorted()).toEqual(concepts.toSorted())
})

test('has exceptions only for existing folders', () => {
  expect(exceptions.filter(({ folder }) => !existsSync(folder))).toEqual([])
})
