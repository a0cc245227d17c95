// Listening sockets that systemd opens for the service, so that connections wait while it restarts (sd_listen_fds(3)).
// The supervisor imports this file: it loads no code of the service.
import { readFileSync, readlinkSync } from 'node:fs'

/** Number of descriptors that the supervisor hands on, from 4: 3 is its channel to the service. */
const variable = 'RELAYDECK_SOCKETS'
const firstOfSystemd = 3
const firstOfService = 4
const listening = '0A'

/**
 * Returns what a supervisor passes to the service: its descriptors, and the environment. Each socket is passed twice, because
 * a start that waits for its database closes the first.
 * @param pid of the process that systemd has started
 */
export function handedOn(environment: NodeJS.ProcessEnv, pid: number): { stdio: number[]; env: NodeJS.ProcessEnv } {
  const { LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES: _names, [variable]: _before, ...env } = environment
  if (Number(LISTEN_PID) !== pid) return { stdio: [], env }
  const sockets = Array.from({ length: Number(LISTEN_FDS) || 0 }, (_, at) => firstOfSystemd + at)
  const stdio = [...sockets, ...sockets]
  return { stdio, env: { ...env, [variable]: String(stdio.length) } }
}

const taken = new Set<number>()

/** Returns how to listen on a port: on an inherited socket of that port, or on the address. */
export function listenOn(host: string, port: number, environment: NodeJS.ProcessEnv = process.env) {
  const count = Number(environment[variable] ?? 0)
  const inherited = Array.from({ length: count }, (_, at) => firstOfService + at)
  const fd = inherited.find((each) => !taken.has(each) && portOf(each) === port)
  if (fd === undefined) return { host, port }
  taken.add(fd)
  return { host, fd }
}

/** Returns the port of a listening TCP socket by /proc; undefined for another descriptor. */
export function portOf(fd: number): number | undefined {
  try {
    const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1]
    const lines = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/self/net/${table}`, 'utf8').split('\n'))
    const fields = lines.map((line) => line.trim().split(/\s+/))
    const own = fields.find(([, , , state, , , , , , each]) => each === inode && state === listening)
    return own?.[1] === undefined ? undefined : Number.parseInt(own[1].split(':')[1] ?? '', 16)
  } catch {
    return undefined
  }
}
