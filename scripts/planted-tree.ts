// A copy of the product for tests that plant something in it.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const parts = [
  'contract',
  'locales',
  'server',
  'src',
  'docs',
  'integrations',
  'scripts/house',
  'scripts/integrations',
  'scripts/monitoring',
  'deploy/monitoring',
  'package.json',
  'CHANGELOG.md',
  'tsconfig.base.json',
]
const compilerOptions = {
  types: ['node', 'vite/client'],
  lib: ['es2024', 'dom', 'dom.iterable'],
  jsx: 'react-jsx',
  module: 'esnext',
  moduleResolution: 'bundler',
  composite: false,
  emitDeclarationOnly: false,
}

/** A copy of the product with the installed packages. */
export class PlantedTree {
  readonly #folder = mkdtempSync(join(tmpdir(), 'planted-'))

  constructor() {
    for (const part of parts) cpSync(part, join(this.#folder, part), { recursive: true })
    symlinkSync(resolve('node_modules'), join(this.#folder, 'node_modules'))
  }

  /** Writes a file. @param path in the copy */
  write(path: string, text: string): void {
    const file = join(this.#folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  /** Returns the text of a file. */
  read = (path: string): string => readFileSync(join(this.#folder, path), 'utf8')

  /** Inserts a text behind a text that a file has. @throws Error when the file does not have it */
  insertAfter(path: string, known: string, text: string): void {
    const before = this.read(path)
    if (!before.includes(known)) throw new Error(`${path} has no text ${known}`)
    this.write(
      path,
      before.replace(known, () => known + text),
    )
  }

  /** Runs Node.js in the copy. */
  node = (...args: string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, args, { cwd: this.#folder, encoding: 'utf8' })

  /** Runs the code of a module in the copy. */
  evaluate = (code: string): SpawnSyncReturns<string> => this.node('--input-type=module', '--eval', code)

  /** Returns the errors in the types of some files and all that they import. */
  typeErrors(include: readonly string[], exclude: readonly string[] = []): string {
    this.write('tsconfig.json', JSON.stringify({ extends: './tsconfig.base.json', include, exclude, compilerOptions }))
    return this.node('node_modules/typescript/bin/tsc', '--noEmit').stdout
  }

  /** Removes the copy. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
