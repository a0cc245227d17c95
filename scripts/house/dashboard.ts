// The built dashboard: made again only when something that it is made of has changed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin, node, say } from './step.ts'

const sources = ['index.html', 'vite.config.ts', 'package-lock.json', 'public', 'contract', 'src']
const stamp = '.cache/dashboard.hash'

/** One hash over all that the dashboard is made of, tests left out. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const add = (path: string): void => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).toSorted()) add(join(path, name))
    else if (!/\.test\.tsx?$/.test(path)) hash.update(path).update('\0').update(readFileSync(path)).update('\0')
  }
  for (const path of sources) if (existsSync(path)) add(path)
  return hash.digest('hex')
}

/** Builds the dashboard into dist/. `flags` go to Vite. */
export async function build(flags: readonly string[] = []): Promise<number> {
  const made = fingerprint()
  const code = await node(bin('vite'), ['build', ...flags], { minutes: 10 })
  if (code === 0) {
    mkdirSync('.cache', { recursive: true })
    writeFileSync(stamp, made)
  }
  return code
}

/** Builds the dashboard when dist/ is missing or older than its sources. */
export async function ensureBuilt(): Promise<number> {
  const fresh = existsSync('dist/index.html') && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()
  if (fresh) return 0
  say(existsSync('dist/index.html') ? 'Building the dashboard again, its sources changed' : 'Building the dashboard')
  // Whoever starts the product waits for an address, not for a list of files.
  return build(['--logLevel', 'warn'])
}
