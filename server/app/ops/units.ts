// Units of systemd of an installation: names, the address of the socket, and systemctl.
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { dirname, join } from 'node:path'
import { runTool } from '#server/db/dump.ts'

/** Folder of the administrator's units. */
export const unitFolder = '/etc/systemd/system'
export const serviceUnit = 'relaydeck.service'
export const socketUnit = 'relaydeck.socket'
/** Returns the unit of the relay of a release. */
export const relayUnit = (version: string): string => `relaydeck-relay@${version}.service`

/** Drop-in with the address of the socket. */
export const addressFile = join(unitFolder, `${socketUnit}.d`, 'address.conf')

/** Runs systemctl. @returns its output @throws CopyError with its sentence */
export const systemctl = (...args: readonly string[]): Promise<string> => runTool('systemctl', args)

/** Returns the drop-in for an address. */
export function addressText(host: string, port: number): string {
  const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  return `# Written by \`relaydeck install\` from HOST and PORT.\n[Socket]\nListenStream=\nListenStream=${address}\n`
}

/** Writes the drop-in. @returns whether it was different */
export async function writeAddress(host: string, port: number): Promise<boolean> {
  const text = addressText(host, port)
  if (existsSync(addressFile) && readFileSync(addressFile, 'utf8') === text) return false
  await mkdir(dirname(addressFile), { recursive: true, mode: 0o755 })
  await writeFile(addressFile, text, { mode: 0o644 })
  return true
}

/** Returns the state of a unit: `active`, `inactive`, `failed`, … */
export async function stateOf(unit: string): Promise<string> {
  const printed = await systemctl('show', unit, '--property=ActiveState')
  return printed.trim().replace('ActiveState=', '')
}

/** Returns the last sentence of a unit in the journal. */
export async function lastWords(unit: string): Promise<string> {
  const printed = await runTool('journalctl', [
    '-u',
    unit,
    '-t',
    'relaydeck',
    '-n',
    '20',
    '-o',
    'cat',
    '--no-pager',
  ]).catch(() => '')
  return printed.trim().split('\n').at(-1) ?? ''
}
