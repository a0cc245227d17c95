// Reference servers for the load figures, in a separate process that prints its address. `/bare` is a Fastify handler
// that returns the same bytes, without rights, rules or a database. `/floor` is the minimum cost of our storage:
// the same handler with our headers and one indexed read of a SQLite file (GET), or one transaction that inserts a row
// and updates another (POST).
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'

const app = Fastify()
const answer: unknown = JSON.parse(process.argv[2] ?? '{}')
const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, Date, X-Request-Id',
}

const folder = mkdtempSync(join(tmpdir(), 'relaydeck-floor-'))
const writer = new DatabaseSync(join(folder, 'floor.db'))
writer.exec(`
  pragma journal_mode = wal; pragma synchronous = normal;
  create table tokens (id integer primary key, hash text not null unique, used text);
  insert into tokens values (1, 'first', null)`)
const reader = new DatabaseSync(join(folder, 'floor.db'), { readOnly: true })
const find = reader.prepare('select id from tokens where id = ?')
const [begin, commit] = [writer.prepare('begin immediate'), writer.prepare('commit')]
const insert = writer.prepare('insert into tokens (hash) values (?) returning id')
const use = writer.prepare('update tokens set used = ? where id = ?')

app.get('/bare', () => answer)
app.post('/bare', () => answer)
app.get('/floor', (_, reply) => {
  find.get(1)
  return reply.headers(headers).send(answer)
})
app.post('/floor', (_, reply) => {
  begin.run()
  const id = Number(insert.get(crypto.randomUUID())?.['id'])
  use.run(crypto.randomUUID(), id - 1)
  commit.run()
  return reply.headers(headers).send(answer)
})
process.once('SIGTERM', () => {
  reader.close()
  writer.close()
  void rm(folder, { recursive: true, force: true }).then(() => process.exit())
})
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
