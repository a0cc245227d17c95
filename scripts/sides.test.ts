// Type separation of the sides: no browser globals in the contract, no Node modules in the dashboard.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { plant } from './house/planted.ts'
import { bin } from './house/step.ts'

const planted = plant({
  'contract/browser.ts': 'export const width: number = window.innerWidth\n',
  'contract/node.ts': `import { readFileSync } from 'node:fs'\nexport const text = readFileSync('x', 'utf8')\n`,
  'contract/fine.ts': `export const sum = (a: number, b: number): number => a + b\n`,
  'src/node.ts': `import { readFileSync } from 'node:fs'\nexport const text = readFileSync('x', 'utf8')\n`,
  'src/process.ts': 'export const home = process.env\n',
  'src/fine.ts': `import { sum } from '#contract/fine.ts'\nexport const wide = sum(window.innerWidth, 1)\n`,
  'src/card.module.css': '.card { color: red }\n',
  'src/words.json': '{ "hello": "Hello" }\n',
  'src/card.tsx': `import classes from './card.module.css'\nimport words from './words.json'\nexport const Card = () => <p className={classes['card']}>{words.hello}</p>\n`,
  'server/browser.ts': 'export const width: number = window.innerWidth\n',
  'server/enum.ts': 'export enum Light { Red, Green }\n',
  'server/fine.ts': `import { sum } from '#contract/fine.ts'\nexport const port = sum(Number(process.env['PORT']), 0)\n`,
})
afterAll(planted.remove)

const tsc = resolve(bin('typescript', 'tsc'))
const complaints = ['contract', 'server', 'src'].map(
  (side) =>
    spawnSync(process.execPath, [tsc, '-b', side, '--pretty', 'false'], { cwd: planted.folder, encoding: 'utf8' })
      .stdout,
)
const wrong = new Set(complaints.join('\n').match(/^[\w./-]+\.tsx?(?=\()/gm))

test.each([
  'contract/browser.ts',
  'contract/node.ts',
  'src/node.ts',
  'src/process.ts',
  'server/browser.ts',
  'server/enum.ts',
])('%s does not compile', (file) => {
  expect(wrong).toContain(file)
})

test('compiles allowed code of each side', () => {
  expect([...wrong].filter((file) => /fine|card/.test(file))).toEqual([])
})
