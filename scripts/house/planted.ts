// Copies the lint and type configuration to a temporary folder, in which tests plant mistakes for the tools to find.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const copied = ['package.json', 'oxlint.config.ts', 'tsconfig.base.json', 'scripts/house/import-rules.ts']
const sides = ['contract', 'locales', 'server', 'src', 'e2e'].map((side) => `${side}/tsconfig.json`)

/** Writes the files into a fresh copy; `remove` deletes it. */
export function plant(files: Readonly<Record<string, string>>): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-planted-'))
  for (const path of [...copied, ...sides]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(path, join(folder, path))
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
