// Finds import circles in the repository, of files and of folders with the same parent: by value, by type, by re-export. Dynamic
// imports do not count: they run after both modules are evaluated, and split bundles on purpose.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

type Graph = ReadonlyMap<string, readonly string[]>

/** `import … from 'x'`, `export … from 'x'`, both also with `type`, and `import 'x'`. */
const statement = /^(?:import|export)\s(?:[^'";]*?\sfrom\s*)?['"]([^'"]+)['"]/gm

/** Returns the file that a specifier names, or null for a package. */
function resolved(file: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? join(dirname(file), specifier) : null
}

/** @param files text by path */
function graphOf(files: ReadonlyMap<string, string>): Graph {
  return new Map(
    [...files].map(([file, text]) => {
      const imported = [...text.matchAll(statement)].map((match) => resolved(file, match[1] ?? ''))
      return [file, imported.filter((path) => path !== null && files.has(path)) as string[]]
    }),
  )
}

/** Finds circles by depth-first search: an import of a file that is on the current path closes one. */
function circlesOf(graph: Graph): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string) => {
    const at = path.indexOf(file)
    if (at >= 0) return void circles.push([...path.slice(at), file].join(' > '))
    if (done.has(file)) return
    path.push(file)
    for (const next of graph.get(file) ?? []) visit(next)
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return circles
}

/** Returns the imports between folders with the same parent. Tests may import what they test from below. */
function foldersOf(graph: Graph): Graph {
  const isTest = (file: string) => /\.test\.tsx?$|(^|\/)testing\//.test(file)
  const folders = new Map<string, Set<string>>()
  for (const [file, imported] of graph) {
    for (const other of imported) {
      if (isTest(file) || isTest(other)) continue
      const [from, to] = [file.split('/'), other.split('/')]
      const depth = from.findIndex((name, at) => name !== to[at]) + 1
      const [one, next] = [from, to].map((names) => names.slice(0, depth).join('/')) as [string, string]
      if (depth < from.length && depth < to.length) folders.set(one, (folders.get(one) ?? new Set()).add(next))
    }
  }
  return new Map([...folders].map(([folder, imported]) => [folder, [...imported]]))
}

const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx']
const listed = spawnSync('git', args, { encoding: 'utf8' }).stdout.split('\0')
const files = listed.filter((file) => file !== '' && existsSync(file))
const repository = graphOf(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])))

test('finds no import circle of files', () => {
  const imports = [...repository.values()].reduce((sum, { length }) => sum + length, 0)
  expect(files.length).toBeGreaterThan(1_000)
  expect(imports).toBeGreaterThan(4_000)
  expect(circlesOf(repository)).toEqual([])
})

test('finds no import circle of folders', () => {
  const folders = foldersOf(repository)
  expect(folders.size).toBeGreaterThan(40)
  expect(circlesOf(folders)).toEqual([])
})

test.each([
  ['imports', `import { b } from './b.ts'\n`, `import { a } from '#x/a.ts'\n`],
  ['type-only imports', `import type { B } from './b.ts'\n`, `import { type A } from './a.ts'\n`],
  ['re-exports', `export { b } from './b.ts'\n`, `export type * from './a.ts'\n`],
  ['imports over several lines', `import {\n  b,\n  type B,\n} from './b.ts'\n`, `import './a.ts'\n`],
])('finds a planted circle of %s', (_, a, b) => {
  const graph = graphOf(
    new Map([
      ['x/a.ts', a],
      ['x/b.ts', b],
      ['x/c.ts', `import './a.ts'\n`],
    ]),
  )
  expect(circlesOf(graph)).toEqual(['x/a.ts > x/b.ts > x/a.ts'])
})

test('ignores dynamic imports and shared imports', () => {
  const graph = graphOf(
    new Map([
      ['x/a.ts', `import './b.ts'\nimport './c.ts'\n`],
      ['x/b.ts', `import './c.ts'\n`],
      ['x/c.ts', `export const a = () => import('./a.ts')\n`],
    ]),
  )
  expect(circlesOf(graph)).toEqual([])
})

test('finds a planted circle of folders that have no circle of files', () => {
  const folders = foldersOf(
    new Map([
      ['app/a/deep/one.ts', ['app/b/two.ts', 'app/top.ts']],
      ['app/b/three.ts', ['app/a/four.ts']],
      ['app/b/four.test.ts', ['app/c/one.ts']],
      ['app/c/one.ts', ['app/b/two.ts']],
    ]),
  )
  expect(circlesOf(folders)).toEqual(['app/a > app/b > app/a'])
})
