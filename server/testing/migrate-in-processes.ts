// Migrates one SQLite file from three processes at the same time. Connections of one process would block each other.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const program = `
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
const database = await openDatabase({ file: process.argv[1] })
console.log(JSON.stringify(await migrate(database)))
await database.close()`

/** @returns names of the migrations that each process ran */
export function migrateInProcesses(file: string): Promise<string[][]> {
  const run = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, file])
    return JSON.parse(stdout) as string[]
  }
  return Promise.all([run(), run(), run()])
}
