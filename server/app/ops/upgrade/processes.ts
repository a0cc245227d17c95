// Processes of the machine, by /proc: which releases they use, and whether one is connected to a port.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Place } from './place.ts'

/** Returns the version of the release that a process runs; empty: none, or it has ended. */
export function versionOfProcess({ releases }: Pick<Place, 'releases'>, pid: number): string {
  const program = linkOf(`/proc/${pid}/exe`)
  return program.startsWith(releases + sep) ? (program.slice(releases.length + 1).split(sep, 1)[0] ?? '') : ''
}

/** Returns the versions that any process runs. */
export function usedVersions(place: Pick<Place, 'releases'>): ReadonlySet<string> {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const versions = ids.map((id) => versionOfProcess(place, Number(id)))
  return new Set(versions.filter((version) => version !== ''))
}

/** Returns whether a process has an established TCP connection to a port, as a relay has to its service. */
export function isConnectedTo(pid: number, port: number): boolean {
  const folder = `/proc/${pid}`
  const sockets = new Set(namesOf(join(folder, 'fd')).map((name) => linkOf(join(folder, 'fd', name))))
  return ['tcp', 'tcp6'].some((table) =>
    linesOf(join(folder, 'net', table)).some((line) => {
      const [, , remote = '', state, , , , , , inode] = line.trim().split(/\s+/)
      const isTo = Number.parseInt(remote.split(':')[1] ?? '', 16) === port
      return isTo && state === established && sockets.has(`socket:[${inode}]`)
    }),
  )
}
const established = '01'

/** Processes end while they are read. */
const attempt = <T>(read: () => T, otherwise: T): T => {
  try {
    return read()
  } catch {
    return otherwise
  }
}
const linkOf = (path: string): string => attempt(() => readlinkSync(path).replace(/ \(deleted\)$/, ''), '')
const namesOf = (path: string): string[] => attempt(() => readdirSync(path), [])
const linesOf = (path: string): string[] => attempt(() => readFileSync(path, 'utf8').split('\n').slice(1), [])
