// Writes of customers: an acknowledged write is stored once, another one at most once.
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Cluster, Customer } from './cluster.ts'
import { loops, type Workload } from './workload.ts'

interface Sent {
  readonly projectId: number
  readonly name: string
  readonly isAcknowledged: boolean
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300
/** Responses of a balancer or a replica that cannot write; every other refusal is a violation. */
const isUnavailable = (status: number): boolean => status === 0 || (status >= 502 && status <= 504)

/** Adds channels and renames projects. */
export function startWrites({ call, customers, database: { db } }: Cluster): Workload {
  const added: Sent[] = []
  const names: Sent[] = []
  const refused: string[] = []

  async function write(to: Sent[], { projectId }: Customer, name: string, sending: ReturnType<typeof call>) {
    const { status, body } = await sending
    if (!isSuccess(status) && !isUnavailable(status)) refused.push(`${name} was refused with ${status}: ${body}`)
    // Refused writes did nothing.
    if (isSuccess(status) || isUnavailable(status)) to.push({ projectId, name, isAcknowledged: isSuccess(status) })
  }
  const stop = loops(customers, 600, async (customer, round) => {
    const { projectId: project_id, number } = customer
    const name = `${number}-${round}`
    if (round % 3 > 0) return write(names, customer, name, call(projects.update, { project_id, name }, customer))
    const about = { project_id, type: 'youtube', rtmp_url: 'rtmp://10.77.0.1/live', stream_key: `key-${name}` }
    return write(added, customer, name, call(addChannel.any, { ...about, name }, customer))
  })

  return {
    name: 'nothing acknowledged is lost, nothing is done twice',
    stop,
    async check() {
      const rows = await db.selectFrom('channels').select('name').execute()
      const counts = new Map<string, number>()
      for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1)
      const wrong = added.flatMap(({ name, isAcknowledged }) => {
        const count = counts.get(name) ?? 0
        if (count > 1) return [`channel ${name} was added ${count} times`]
        return isAcknowledged && count === 0 ? [`channel ${name} was acknowledged and is lost`] : []
      })
      const stored = await db.selectFrom('projects').select(['id', 'name']).execute()
      for (const { projectId } of customers) {
        const own = names.filter((one) => one.projectId === projectId)
        const last = own.findLastIndex((one) => one.isAcknowledged)
        // A write without an answer may arrive after later ones.
        const possible = own.filter((one, at) => at === last || !one.isAcknowledged)
        const name = stored.find(({ id }) => id === projectId)?.name ?? ''
        if (last >= 0 && !possible.some((one) => one.name === name))
          wrong.push(`project ${projectId} is named ${name} instead of ${own[last]?.name}`)
      }
      return [...refused, ...wrong]
    },
    figure() {
      const all = [...added, ...names]
      return `${all.length} writes, ${all.filter((one) => !one.isAcknowledged).length} without an answer`
    },
  }
}
