// Runs the cluster test in network, mount and process namespaces of its own: nothing of the machine is touched, and its programs
// end with it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Report of a run. */
export interface ClusterReport {
  /** Invariants that held, each with the numbers of its clients. */
  readonly held: readonly string[]
  readonly measured: readonly (readonly [what: string, value: string])[]
  readonly violations: readonly string[]
  readonly timeline: readonly string[]
}

/** Runs the cluster test. @param args of main.ts */
export async function runCluster(args: readonly string[]): Promise<ClusterReport> {
  const inside = [process.execPath, 'scripts/cluster/main.ts', ...args]
  const own = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', ...inside]
  const child = spawn('unshare', own, { stdio: ['ignore', 'pipe', 'inherit'] })
  const report = {
    held: [] as string[],
    measured: [] as [string, string][],
    violations: [] as string[],
    timeline: [] as string[],
  }
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const [kind = '', ...words] = line.split(' ')
    const text = words.join(' ')
    if (kind === 'ok') report.held.push(text)
    else if (kind === 'measured') report.measured.push(text.split(': ') as [string, string])
    else if (kind === 'violation') report.violations.push(text)
    else if (kind === 'timeline') report.timeline.push(text)
    else console.log(line)
  }
  const [code] = (await ended) as [number | null]
  if (code !== 0 && report.violations.length === 0) report.violations.push(`the test ended with ${code}`)
  return report
}
