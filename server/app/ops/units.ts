// Units of systemd of an installation: names, the address of the socket, and systemctl.
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { dirname, join } from 'node:path'
import { runTool } from '#server/db/dump.ts'
import type { ServicePorts } from './ports.ts'

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

/** Returns the drop-in for the ports of an address. Port 0, a free one, needs no socket of systemd. */
export function addressText(host: string, { port, plain }: ServicePorts): string {
  const ports = [...new Set([port, plain])].filter((each) => each !== 0)
  const lines = ports.map((each) => `ListenStream=${isIPv6(host) ? `[${host}]` : host}:${each}\n`)
  return `# Written by \`relaydeck install\` from the settings.\n[Socket]\nListenStream=\n${lines.join('')}`
}

/** Writes the drop-in. @returns whether it was different */
export async function writeAddress(host: string, ports: ServicePorts): Promise<boolean> {
  const text = addressText(host, ports)
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
