// What processes cost, as the kernel counts it. Linux only.
import { readdirSync, readFileSync } from 'node:fs'

/** Seconds of processor time that these processes have used, all threads, to the nanosecond. */
export const cpuSeconds = (pids: readonly number[]): number =>
  pids
    .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/schedstat`))
    .reduce((sum, path) => sum + Number(readFileSync(path, 'latin1').split(' ')[0]) / 1e9, 0)

/** Bytes of memory that these processes keep (RSS); pages that several share count for each. */
export const memory = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return sum + Number(kilobytes ?? 0) * 1024
  }, 0)
