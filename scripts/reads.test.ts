// Functions that are called find, list, get, count, sum, has or …Of write nothing: their database cannot.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Files whose functions still take the services of payments. */
const later = /^server\/domain\/(billing\/|operator\/payments-list\.ts$)/
const reader = /^export (?:async )?(?:function|const) ((?:find|list|get|count|sum|has)[A-Z]\w*|\w+Of)\b/gm
/** Names that say that the function writes. */
const writer = /^(?:add|claim|delete|end|insert|remove|revoke|set|update|upsert)[A-Z]/
/** A database or services that can write. `Pick` without `db` and `Reading` cannot. */
const writes = /\b(?:Db|Trx|(?:\w*Services|Call|Context)\b(?!\[))/
const harmless = /Reading<(?:[^<>]|<[^<>]*>)*>|Pick<\w+, (?!'db')(?:'(?!db')\w+'[ |]*)+>/g
const statement =
  /sql(?:<[^`]*>)?`\s*(?!select|with\b)(?:insert|update|delete|merge|replace|truncate|alter|drop|create)\b/i
const writesInside = /\b(?:insert into|delete from|update \w+ set)\b/i

interface Reader {
  readonly name: string
  readonly parameters: string
  readonly body: string
}

/** Returns the exported functions of a source whose name says that they read. */
function readersOf(source: string): Reader[] {
  return [...source.matchAll(reader)].flatMap((found) => {
    const [whole, name = ''] = found
    if (writer.test(name)) return []
    const rest = source.slice(found.index + whole.length)
    const own = rest.slice(0, /\n(?=export |\/\*\*|(?:async )?function |const |interface |type )/.exec(rest)?.index)
    return [{ name, parameters: parametersOf(own), body: own }]
  })
}

/** Returns the text between the first parenthesis of a function and its partner. */
function parametersOf(text: string): string {
  const begin = text.indexOf('(')
  let depth = 0
  for (let at = begin; at >= 0 && at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return text.slice(begin + 1, at)
  }
  return ''
}

const mayWrite = ({ parameters, body }: Reader): boolean =>
  writes.test(parameters.replaceAll(harmless, '')) || statement.test(body) || writesInside.test(body)

test('finds planted functions that may write', () => {
  const planted = `
export const listThings = (db: Db | Trx, id: number) => db.selectFrom('things').execute()
export async function findThing(
  { db, clock }: Pick<Services, 'clock' | 'db'>,
  id: number,
) {}
export const thingOf = async (services: ThingServices) => {}
export const countThings = async (db: ReadDb) => {
  await sql\`delete from things\`.execute(db)
}
export const sumThings = (db: ReadDb) => sql\`with old as (delete from things returning 1) select 1\`.execute(db)
`
  expect(readersOf(planted).filter((one) => !mayWrite(one))).toEqual([])
  expect(readersOf(planted)).toHaveLength(5)
})

test('accepts planted functions that read', () => {
  const planted = `
export const listThings = (db: ReadDb, id: number) => sql\`with a as (select 1) select * from a\`.execute(db)
export async function findThing({ db, clock }: Reading<Pick<Services, 'clock' | 'db'>>, id: number) {}
export const getThing = (services: Pick<Services, 'clock' | 'config'>, db: ReadDb) => services
export const removeThingsOf = (trx: Trx) => trx
`
  expect(readersOf(planted).filter(mayWrite)).toEqual([])
})

test('functions of the domain that are named as reads cannot write', () => {
  const files = globSync('server/{domain/**,db}/*.ts').filter(
    (path) => !/\.test\.ts$|\/testing\//.test(path) && !later.test(path),
  )
  const found = files.flatMap((path) =>
    readersOf(readFileSync(path, 'utf8')).map((one) => ({ ...one, where: `${path} ${one.name}` })),
  )
  expect(found.length).toBeGreaterThan(250)
  expect(found.filter(mayWrite).map(({ where }) => where)).toEqual([])
})
