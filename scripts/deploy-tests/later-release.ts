// Later releases for scenarios: the archive of the run with another version, and with further migrations in its bundle.
import { strict as assert } from 'node:assert'
import { newestMigration, schemaFloor } from '#server/db/migrate.ts'
import { pack, write } from '#scripts/release/main.ts'
import type { Archive } from './stage.ts'

export interface Later {
  readonly version: string
  /** Tables that its migrations add, in the order of their numbers from 9001; none: the same schema. */
  readonly tables: readonly string[]
  /** Its last migration replaces something: releases before refuse its schema. */
  readonly raises?: boolean
}

/** Writes a later release, signed as the archive is. @returns the name of its archive */
export function writeLater(folder: string, archive: Archive, { version, tables, raises = false }: Later): string {
  const files = new Map(archive.files)
  const names = tables.map((table, at) => `${9001 + at}-${table}`)
  const added = names.map(
    (name, at) =>
      `"${name}": async (db) => { await db.schema.createTable("${tables[at]}").addColumn("id", "integer").execute() }, `,
  )
  const [path, bundle] = bundleOf(files)
  const floor = raises ? (names.at(-1) ?? '') : schemaFloor()
  const changed = bundle
    .replace(/"0001-base": /, (first) => `${added.join('')}${first}`)
    .replace(/ raising = \[(.*?)\]/s, (whole, list: string) => (raises ? ` raising = [${list}, "${floor}"]` : whole))
  files.set(path, { content: Buffer.from(changed) })
  const about = JSON.parse(files.get('package.json')?.content.toString() ?? '') as object
  files.set('package.json', { content: Buffer.from(`${JSON.stringify({ ...about, version }, null, 2)}\n`) })
  const packed = pack(files, { ...archive.facts, version, schema: names.at(-1) ?? newestMigration(), floor })
  write(folder, version, [packed], archive.key)
  return packed.name
}

/** Finds the file of the bundle that has the migrations. */
function bundleOf(files: Archive['files']): readonly [path: string, content: string] {
  const found = [...files]
    .filter(([path]) => /^dist\/service\/.*\.js$/.test(path))
    .map(([path, { content }]) => [path, content.toString()] as const)
    .filter(([, content]) => content.includes('"0001-base": ') && content.includes(' raising = ['))
  assert.equal(found.length, 1, `The migrations are in ${found.length} files of the bundle`)
  return found[0] ?? ['', '']
}
