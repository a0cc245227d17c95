// Compares the tree with the documented layout: an area has the same name on every side.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type AnyGroup, groupInfo } from '#contract/core/group.ts'
import { groups } from '#contract/index.ts'

/** Areas that are missing on one side, each with the reason. */
const differences: Readonly<Record<string, string>> = {
  'reference is only in src': 'shows the whole contract, and has no operations of its own',
  'realtime is only in contract and server': 'serves all pages, and has none: src/realtime',
}

const sides = ['contract', 'server', 'src']
const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
const tree = listed.stdout.split('\0').filter((file) => file !== '' && existsSync(file))
const markdown = tree.filter((file) => file.endsWith('.md'))
const text = (file: string): string => readFileSync(file, 'utf8')
const under = (folder: string): string[] => tree.filter((file) => file.startsWith(`${folder}/`))
const areasOf = (side: string): string[] => [...new Set(under(`${side}/areas`).map((file) => file.split('/')[2] ?? ''))]

test('reads the tree', () => {
  expect(tree.length).toBeGreaterThan(100)
  expect(markdown.length).toBeGreaterThan(4)
})

test('has the same areas in contract, service and dashboard', () => {
  const all = [...new Set(sides.flatMap(areasOf))].toSorted()
  const odd = all.flatMap((area) => {
    const having = sides.filter((side) => areasOf(side).includes(area))
    return having.length === sides.length ? [] : [`${area} is only in ${having.join(' and ')}`]
  })
  expect(odd).toEqual(Object.keys(differences).toSorted())
})

test('has the handlers of a contract group in the file of the same name, and no others', async () => {
  const files = under('contract/areas').filter((file) => !file.endsWith('.test.ts'))
  const modules = await Promise.all(files.map(async (file) => [file, await import(resolve(file))] as const))
  const isGroup = (value: unknown): value is AnyGroup => groups.includes(value as AnyGroup)
  const declared = modules.filter(([, module]) => Object.values(module).some(isGroup)).map(([file]) => file)
  const handled = under('server/areas').filter((file) => !file.endsWith('.test.ts') && /\bimplement\(/.test(text(file)))
  expect(declared.length).toBeGreaterThan(4)
  expect(handled.map((file) => file.replace('server/', 'contract/')).toSorted()).toEqual(declared.toSorted())
})

test('has every group once in the registry, under its own area', async () => {
  const ids = groups.map((group) => groupInfo(group).id)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...new Set(groups.map((group) => groupInfo(group).area))].toSorted()).toEqual(areasOf('contract').toSorted())
})

/** Functions of stores that run no statement, each with the reason. */
const otherVerbs: Readonly<Record<string, string>> = { forgetPlans: 'drops cached plans' }

test('has the verbs of CONTRIBUTING in its stores', () => {
  const verb = /^(find|list|insert|update|remove|get|lock|count|sum|has|upsert|lease|claim|release)([A-Z]|$)/
  const stores = under('server/domain').filter((file) => /[/-]store\.ts$/.test(file))
  const statement =
    /^export (?:async )?(?:function|const) (\w+)(?: = (?:async )?)?(?:<[^(]*>)?\(\s*(?:db|trx): (?:Db|Trx)/gm
  const names = stores.flatMap((file) => [...text(file).matchAll(statement)].map((match) => match[1] ?? ''))
  expect(names.length).toBeGreaterThan(200)
  expect(names.filter((name) => !verb.test(name))).toEqual(Object.keys(otherVerbs))
})

test('has one index.ts, the registry', () => {
  expect(tree.filter((file) => /(^|\/)index\.[jt]sx?$/.test(file))).toEqual(['contract/index.ts'])
})

test('has only existing files in its documents', () => {
  const broken = markdown.flatMap((file) => {
    const links = [...text(file).matchAll(/\]\((?!https?:|mailto:|[#/])([^)#\s]+)/g)].map((match) =>
      join(dirname(file), match[1] ?? ''),
    )
    const named = [
      ...text(file).matchAll(/`((?:contract|server|src|e2e|integrations|scripts|docs|public)\/[\w./-]+)`/g),
    ].map((match) => match[1] ?? '')
    return [...links, ...named]
      .filter((path) => !existsSync(path) && !/\/areas\/[x-z](\/|$)|NNNN/.test(path))
      .map((path) => `${file} names ${path}`)
  })
  expect(broken).toEqual([])
})

test('draws checkboxes and radio buttons by src/ui alone', () => {
  const natives = under('src').filter(
    (file) => file.endsWith('.tsx') && !file.startsWith('src/ui/') && /type="(?:checkbox|radio)"/.test(text(file)),
  )
  expect(natives).toEqual([])
  expect(text('src/ui/checkbox.tsx')).toMatch(/type="checkbox"/)
  const unstyled = tree.filter((file) => file.endsWith('.css') && /accent-color/.test(text(file)))
  expect(unstyled).toEqual([])
})

test('documents every command in README and CONTRIBUTING, and no other', () => {
  const commands = Object.keys(JSON.parse(text('package.json')).scripts).toSorted()
  const named = [...(text('README.md') + text('CONTRIBUTING.md')).matchAll(/(?:`|^)npm (?:run )?([a-z][a-z0-9:-]*)/gm)]
  const known = new Set(named.map((match) => match[1] ?? '').filter((name) => !['ci', 'install'].includes(name)))
  expect([...known].toSorted()).toEqual(commands)
})

test('has nothing in the tree that belongs to one machine', () => {
  // Absolute paths of a developer's machine, and hosts of package registries.
  const marks = [
    /(?<![\w.])\/(work|root|home|Users)\/\w/,
    /"resolved"\s*:/,
    new RegExp(['registry\\.npm', 'verdac' + 'cio', 'artifac' + 'tory'].join('|')),
  ]
  const readable = tree.filter((file) => !/\.(png|jpe?g|webp|avif|ico|woff2?|mp4|gz|br)$/.test(file))
  const found = readable.flatMap((file) =>
    marks.filter((mark) => mark.test(text(file))).map((mark) => `${file} has ${mark}`),
  )
  expect(found).toEqual([])
})

type Locked = Record<string, { integrity?: string; inBundle?: boolean; optionalDependencies?: Record<string, string> }>

test('has exact versions, and an integrity hash for every package of the lockfile', () => {
  const { dependencies, devDependencies } = JSON.parse(text('package.json'))
  const versions = Object.entries({ ...dependencies, ...devDependencies })
  expect(versions.filter(([, version]) => !/^\d/.test(String(version)))).toEqual([])
  const packages: Locked = JSON.parse(text('package-lock.json')).packages
  expect(Object.entries(packages).filter(([path, entry]) => path && !entry.integrity && !entry.inBundle)).toEqual([])
})

test('has the packages of every platform in the lockfile, else npm ci fails on the others', () => {
  const packages: Locked = JSON.parse(text('package-lock.json')).packages
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => {
      const places = path
        .split('/node_modules/')
        .map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'))
      return ![...places.map((place) => `${place}/node_modules/${name}`), `node_modules/${name}`].some(
        (key) => packages[key],
      )
    }),
  )
  expect(missing).toEqual([])
})

test('runs npm test and npm run test:deploy in continuous integration, with the sum of their counts as the last line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-ci-'))
  const ci = (first: string, second: string) => {
    const npm = `#!/bin/sh\ncase "$*" in test) ${first};; 'run test:deploy') ${second};; *) exit 9;; esac\n`
    writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 })
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
    const { status, stdout } = spawnSync('bash', [resolve('.ci/run')], { encoding: 'utf8', env })
    return [status, stdout.trimEnd().split('\n').at(-1)]
  }
  const good = 'echo "> step: 9 passed, 0 failed"; echo "3 passed, 0 failed, 1 skipped"'
  expect(ci(good, 'echo "2 passed, 0 failed, 4 skipped"')).toEqual([0, '5 passed, 0 failed, 5 skipped'])
  expect(ci(good, 'echo "2 passed, 1 failed"; exit 1')).toEqual([1, '5 passed, 1 failed, 1 skipped'])
  expect(ci('echo "1 passed, 1 failed"; exit 1', good)).toEqual([1, '4 passed, 1 failed, 1 skipped'])
  expect(ci(good, 'exit 7')).toEqual([1, '3 passed, 1 failed, 1 skipped'])
})

test('has a reason for each suppressed rule', () => {
  const comment = /\/[/*]\s*(?:ox|es)lint-disable.*/g
  const bare = tree
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && file !== 'scripts/lint.test.ts')
    .flatMap((file) => [...text(file).matchAll(comment)].map(([found]) => `${file}: ${found}`))
    .filter((found) => !/ -- \S+ \S+/.test(found))
  expect(bare).toEqual([])
})
