// Program of a small release: migrates a SQLite file, serves it, backs it up and restores it. DATA_DIR is its folder.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const folder = String(process.env.DATA_DIR)
const file = join(folder, 'relaydeck.db')
const { version, migrations, floor, fault } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'small.json'), 'utf8'),
)
const knows = (/** @type {string} */ name) => name === '' || migrations.includes(name)
const print = (/** @type {unknown} */ value) => process.stdout.write(`${JSON.stringify(value)}\n`)

/** @returns {DatabaseSync} */
function open() {
  const db = new DatabaseSync(file, { timeout: 5_000 })
  db.exec(`pragma journal_mode = wal; create table if not exists applied (name text primary key);
    create table if not exists facts (floor text); create table if not exists notes (note text)`)
  return db
}

const appliedOf = (/** @type {DatabaseSync} */ db) =>
  db
    .prepare('select name from applied')
    .all()
    .map(({ name }) => String(name))

function planOf(/** @type {DatabaseSync} */ db) {
  const applied = appliedOf(db)
  const newer = applied.filter((name) => !migrations.includes(name))
  const runs = newer.length === 0 || knows(String(db.prepare('select floor from facts').get()?.floor ?? ''))
  return {
    pending: migrations.filter((/** @type {string} */ name) => !applied.includes(name)),
    unknown: runs ? [] : newer,
  }
}

const countsOf = (/** @type {DatabaseSync} */ db) => ({
  notes: Number(db.prepare('select count(*) as n from notes').get()?.n),
})

/** Holds a lock of SQLite until the process ends. */
async function lock(/** @type {string} */ name) {
  const connection = new DatabaseSync(join(folder, name), { timeout: 100 })
  for (;;) {
    try {
      connection.exec('begin exclusive')
      return connection
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

async function serve() {
  const held = await lock('service.lock')
  const db = open()
  const { pending, unknown } = planOf(db)
  if (unknown.length > 0 || fault === 'ends') process.exit(78)
  db.exec('begin')
  for (const name of pending) {
    db.exec(`create table "${name}" (id integer)`)
    db.prepare('insert into applied values (?)').run(name)
  }
  if (pending.length > 0) db.exec('delete from facts')
  if (pending.length > 0) db.prepare('insert into facts values (?)').run(floor)
  db.exec('commit')
  const server = createServer((request, response) => {
    if (request.url === '/readyz') response.writeHead(fault === 'silent' ? 503 : 200).end(version)
    if (request.url?.startsWith('/write/')) db.prepare('insert into notes values (?)').run(request.url.slice(7))
    if (request.url !== '/readyz')
      response.end(
        JSON.stringify(
          db
            .prepare('select note from notes')
            .all()
            .map(({ note }) => note),
        ),
      )
  })
  server.listen(0, '127.0.0.1', () =>
    print({ port: /** @type {import('node:net').AddressInfo} */ (server.address()).port }),
  )
  process.once('exit', () => held.close())
}

function backup() {
  const db = open()
  const target = join(folder, 'backups', `before-upgrade-of-${version}-${process.hrtime.bigint()}.tar.gz`)
  mkdirSync(join(folder, 'backups'), { recursive: true })
  if (existsSync(join(folder, 'backups', 'full'))) {
    process.stderr.write('The disk of backups is full\n')
    process.exit(1)
  }
  db.prepare('vacuum into ?').run(target)
  writeFileSync(`${target}.json`, JSON.stringify({ date: new Date().toISOString(), counts: countsOf(db) }))
  process.stdout.write(`${target} (0.0 MB)\nKeep it safe\n`)
}

async function restore(/** @type {string} */ from) {
  const held = await lock('service.lock')
  const copy = join(folder, 'copy.db')
  const source = new DatabaseSync(from, { readOnly: true })
  rmSync(copy, { force: true })
  source.prepare('vacuum into ?').run(copy)
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  renameSync(copy, file)
  held.close()
}

/** @type {Record<string, (about: string[]) => unknown>} */
const commands = {
  version: () => process.stdout.write(`relaydeck ${version} linux-x64 (small)\n`),
  serve,
  relay: () => {
    if (fault !== 'lonely relay') print({ connected: true })
    setInterval(() => undefined, 60_000)
  },
  preflight([asked = '']) {
    if (fault === 'refuses') {
      process.stderr.write('PORT must be an integer from 0 to 65535, got "abc"\n')
      process.exit(78)
    }
    const free = existsSync(join(folder, 'little-room')) ? 1 : 1e12
    print({ ...planOf(open()), knows: knows(asked), bytes: 1_000, free })
  },
  backup,
  restore: ([from = '']) => restore(from),
  'written-since': ([from = '']) => {
    const { date, counts } = JSON.parse(readFileSync(`${from}.json`, 'utf8'))
    const more = countsOf(open()).notes - counts.notes
    print({ date, changes: more === 0 ? {} : { notes: more } })
  },
}

const [name = '', ...about] = process.argv.slice(2)
// The machine of a test that was killed closes the pipe, and leaves no process.
if (name === 'serve' || name === 'relay') process.stdin.resume().once('close', () => process.exit(0))
await commands[name]?.(about)
