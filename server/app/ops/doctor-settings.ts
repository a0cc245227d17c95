// Checks of the files with settings: mistyped names, values that the service or the relay refuses, readable secrets.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { relayVariables } from '#server/relay/options.ts'
import { readVariables, type Variable } from '#server/core/variables.ts'
import { allSettings } from '#server/app/settings.ts'
import { broken, type Finding, warning } from './finding.ts'
import { settingFiles } from './layout.ts'
import { linesOf, nearest, oddLines, valuesOf } from './setting-lines.ts'

/** Variables of the runtime that operators set beside ours. */
const ofRuntime = [
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_COMPILE_CACHE',
  'MALLOC_ARENA_MAX',
  'TZ',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
]

type Table = Readonly<Record<string, Variable>>
const serviceTable: Table = Object.assign({}, ...allSettings.map(([, { variables }]) => variables))
/** The service starts its own relay with these, so its file may have them. */
const tables: Readonly<Record<keyof typeof settingFiles, Table>> = {
  service: { ...relayVariables, ...serviceTable },
  relay: relayVariables,
}

/** Checks the settings of an installation. @param etc folder of the files */
export function checkSettings(etc: string): readonly Finding[] {
  return Object.entries(settingFiles).flatMap(([which, name]) => {
    const file = join(etc, name)
    if (!existsSync(file)) return [broken(`${file} is missing`, 'Run: relaydeck install')]
    const isOpen = (statSync(file).mode & 0o007) !== 0
    const open = isOpen
      ? [broken(`${file} can be read by every user, and holds secrets`, `Run: chmod 640 ${file}`)]
      : []
    return [...open, ...checkText(file, readFileSync(file, 'utf8'), tables[which as keyof typeof settingFiles])]
  })
}

function checkText(file: string, text: string, table: Table): Finding[] {
  const known = [...Object.keys(table), ...ofRuntime]
  const values = valuesOf(text)
  const findings = oddLines(text).map((line) =>
    broken(`${file}:${line} is neither NAME=value nor a comment`, 'Correct the line, or put # before it'),
  )
  const lines = linesOf(text)
  const seen = new Set<string>()
  for (const { name, line } of lines) {
    const at = `${file}:${line}`
    if (seen.has(name))
      findings.push(warning(`${at}: ${name} is set twice; the last line counts`, 'Remove one of them'))
    seen.add(name)
    const variable = table[name]
    const isLast = lines.findLast((each) => each.name === name)?.line === line
    if (variable && isLast) findings.push(...checkValue(at, name, variable, values))
    if (!known.includes(name)) {
      const near = nearest(name, known)
      const remedy = near === undefined ? 'Remove it, or see docs/configuration.md' : `Write ${near}`
      findings.push(warning(`${at}: ${name} is no setting, and has no effect`, remedy))
    }
  }
  return findings
}

function checkValue(at: string, name: string, variable: Variable, values: NodeJS.Dict<string>): Finding[] {
  try {
    readVariables({ [name]: variable }, values)
    return []
  } catch (error) {
    return [broken(`${at}: ${(error as Error).message}`, `Correct ${name}, then run: relaydeck install`)]
  }
}
