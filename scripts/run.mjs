// Entry point of every `npm run …` under any installed Node from 20 on: installs missing or outdated packages,
// then runs scripts/house/main.ts under the pinned Node.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const windows = process.platform === 'win32'
const pinned = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')

if (Number(process.versions.node.split('.')[0]) < 20) fail(`Node 20 or newer is required, got ${process.version}.`)
process.chdir(root)

const missing = whatIsMissing()
if (missing) install(missing)
process.env.PATH = join(root, 'node_modules', '.bin') + delimiter + (process.env.PATH ?? '')

if (process.version === `v${wanted()}`) {
  const { main } = await import('./house/main.ts')
  await main(process.argv.slice(2))
} else {
  handOver()
}

/** Returns the pinned version of Node from the lockfile. */
function wanted() {
  return readLock('package-lock.json')['node_modules/node']?.version
}

/** Returns why the packages must be installed, or ''. Compares the lockfile with npm's copy in node_modules. */
function whatIsMissing() {
  if (!existsSync('node_modules/.package-lock.json')) return 'node_modules is missing'
  const installed = readLock('node_modules/.package-lock.json')
  for (const [path, entry] of Object.entries(readLock('package-lock.json'))) {
    if (path === '' || (entry.optional && !installed[path])) continue
    if (installed[path]?.version !== entry.version) return `${path} is not at ${entry.version}`
  }
  if (!existsSync(pinned)) return 'the pinned Node is missing'
  return ''
}

/** @returns {Record<string, { version?: string, optional?: boolean }>} */
function readLock(/** @type {string} */ file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function install(/** @type {string} */ reason) {
  console.log(`> Installing packages, because ${reason} (npm ci, needs the network, about a minute)`)
  npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  // npm may be configured to skip install scripts; the `node` package downloads its binary in one.
  if (!existsSync(pinned)) npm(['rebuild', 'node', '--ignore-scripts=false'])
  if (!existsSync(pinned)) fail('The packages are installed, but the binary of the `node` package is missing.')
}

function npm(/** @type {string[]} */ args) {
  // Uses the npm that started this process, else the one on the path.
  const self = process.env.npm_execpath
  const byNpm = self?.endsWith('npm-cli.js')
  const { status } = byNpm
    ? spawnSync(process.execPath, [String(self), ...args], { stdio: 'inherit' })
    : spawnSync('npm', args, { stdio: 'inherit', shell: windows })
  if (status !== 0) fail(`npm ${args[0]} failed.`)
}

/** Runs this file again under the pinned Node; passes signals and the exit code on. */
function handOver() {
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends SIGINT to the whole group, so passing it on would deliver it twice.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal))
  child.on('error', (error) => fail(`The pinned Node does not start: ${error.message}`))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1
    if (!signal) return
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** @returns {never} */
function fail(/** @type {string} */ message) {
  console.error(message)
  process.exit(1)
}
