// Processor time and memory of processes, as the kernel counts them. Linux only.
import { readdirSync, readFileSync } from 'node:fs'

/** Returns the processor time of the processes, all threads, in seconds with nanosecond resolution. */
export const cpuSeconds = (pids: readonly number[]): number =>
  pids
    .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/schedstat`))
    .reduce((sum, path) => sum + Number(readFileSync(path, 'latin1').split(' ')[0]) / 1e9, 0)

/** Returns the memory of the processes (RSS), bytes; shared pages count for each process. */
export const memory = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return sum + Number(kilobytes ?? 0) * 1024
  }, 0)
