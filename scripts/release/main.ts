// `npm run release`: writes `release/` with an archive for each architecture, their checksums and signature.
import { generateKeyPairSync, createPrivateKey, createHash, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { keyLine, readKeys, sign } from '#server/app/ops/minisign.ts'
import { keyFile } from '#server/app/ops/release.ts'
import { newestList } from '#server/app/ops/upgrade/source.ts'
import { build } from '#scripts/house/build.ts'
import { say } from '#scripts/house/step.ts'
import { contentsOf, type Files, finish } from './contents.ts'
import { type Architecture, architectures } from './packages.ts'
import { tarGz } from './tar.ts'

const usage =
  'npm run release [-- --key <file>] [-- --arch x64|arm64] [-- --out <folder>], npm run release -- new-key [<file>]'
const usualKey = join(homedir(), '.config', 'relaydeck', 'release-key.pem')

/** Makes a key: the private half outside the repository, the public half beside the code. */
function newKey(file = usualKey): number {
  const path = resolve(file)
  if (!relative('.', path).startsWith('..')) return fail(`${path} is inside the repository. Name a file elsewhere`)
  if (existsSync(path)) return fail(`${path} exists. Name another file`)
  const { privateKey } = generateKeyPairSync('ed25519')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' })
  const lines = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').split('\n').filter(Boolean) : []
  const comments = lines.filter((line) => readKeys(line).length === 0)
  const keys = [...lines.filter((line) => readKeys(line).length > 0), keyLine(privateKey)].slice(-2)
  writeFileSync(keyFile, `${[...comments, ...keys].join('\n')}\n`)
  say(`${path} is the private key: keep it outside of every repository, with a copy in a safe place`)
  say(`${keyFile} has its public half: commit it. Releases that contain it accept releases of this key`)
  return 0
}

/** An archive, as it is written. */
export interface Packed {
  readonly name: string
  readonly content: Buffer
}

/** Makes the archive of a release. */
export function pack(files: Files, facts: Parameters<typeof finish>[1]): Packed {
  const name = `${facts.name}-${facts.version}-linux-${facts.arch}.tar.gz`
  return { name, content: tarGz(finish(files, facts), facts.time) }
}

/** Writes archives with their checksums, and signs these. */
export function write(folder: string, version: string, archives: readonly Packed[], key: KeyObject | null): void {
  mkdirSync(folder, { recursive: true })
  const sums = archives.map(({ name, content }) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`)
  const list = join(folder, `relaydeck-${version}-SHA256SUMS`)
  for (const { name, content } of archives) writeFileSync(join(folder, name), content)
  // `relaydeck upgrade` without a version reads the copy without one.
  for (const file of [list, join(folder, newestList)]) {
    writeFileSync(file, sums.join(''))
    if (key) writeFileSync(`${file}.minisig`, sign(Buffer.from(sums.join('')), key, `relaydeck ${version}`))
    else rmSync(`${file}.minisig`, { force: true })
  }
  for (const [at, { name, content }] of archives.entries())
    say(`${join(folder, name)} ${(content.length / 1e6).toFixed(1)} MB, SHA-256 ${sums[at]?.slice(0, 64)}`)
}

/** Reads a private key. @throws where the code does not contain its public half */
function readKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file))
  if (!readFileSync(keyFile, 'utf8').includes(keyLine(key)))
    throw new Error(`${keyFile} does not contain the public half of ${file}: no installation would accept the release`)
  return key
}

const fail = (text: string): number => {
  console.error(text)
  return 1
}

/** Runs the command. @returns the exit code */
export async function release(args: readonly string[]): Promise<number> {
  if (args[0] === 'new-key') return newKey(args[1])
  const given = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
  const [arch, out = 'release'] = [given('--arch'), given('--out')]
  const wanted = architectures.filter((each) => arch === undefined || each === arch)
  if (wanted.length === 0) return fail(usage)
  const keyPath = given('--key') ?? (existsSync(usualKey) ? usualKey : undefined)
  const key = keyPath === undefined ? null : readKey(keyPath)
  const code = await build(['--logLevel', 'warn'])
  if (code !== 0) return code
  const packed = wanted.map((each: Architecture) => {
    const { files, facts } = contentsOf(each)
    return { ...pack(files, facts), version: facts.version }
  })
  write(out, packed[0]?.version ?? '', packed, key)
  if (!key) say(`Not signed: \`relaydeck upgrade\` refuses it. Make a key once: npm run release -- new-key`)
  return 0
}
