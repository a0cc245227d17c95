// Property: one owner per project, in any order of encoders, lost connections, killed nodes, late messages and clock changes.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AirModel, type SimulatedNode } from '#server/testing/air-model.ts'
import { roundsOf } from '#server/testing/rounds.ts'
import { fundedProject } from '#server/testing/tariffs.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { endLost } from './lost-nodes.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const acts = {
  arrive: 8,
  flow: 16,
  handle: 3,
  handleLate: 5,
  receive: 2,
  silence: 2,
  send: 1,
  lose: 3,
  end: 1,
  measure: 4,
  cut: 2,
  cutAndLose: 1,
  connect: 4,
  kill: 1,
  endLost: 2,
} as const
type Step = { readonly act: keyof typeof acts; readonly at: 0 | 1 } | { readonly passes: number }

const weighted = Object.entries(acts).map(([act, weight]) => ({
  weight,
  arbitrary: fc.record({ act: fc.constant(act as keyof typeof acts), at: fc.constantFrom(0, 1) }),
}))
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(...weighted, {
    weight: 3,
    arbitrary: fc.record({ passes: fc.constantFrom(500, 2_000, 6_000, 11_000, 21_000, 700_000) }),
  }),
  { minLength: 20, maxLength: 80, size: 'max' },
)

type Lease = Awaited<ReturnType<AirModel['lease']>>

const owns = (node: SimulatedNode, lease: Lease, epoch: number | undefined) =>
  lease?.node === node.name && lease.epoch === epoch

/** The owner is connected, its encoder sends, and the service has received that. */
const isKept = (owner: SimulatedNode | undefined, lease: Lease): boolean =>
  owner?.live?.isSending === true && owner.isUp && owner.sent.length === 0 && owns(owner, lease, owner.live.epoch)

/** The service handles a message. @param owners the node of each epoch */
async function handle(model: AirModel, node: SimulatedNode, isLate: boolean, owners: Map<number, string>) {
  const [message] = isLate ? node.late : node.sent
  const lease = await model.lease()
  const isStale = message?.type === 'event' && !owns(node, lease, message.fact.epoch)
  const before = isStale ? await model.recorded() : ''
  const owner = model.nodes.find(({ name }) => name === lease?.node)
  const mustBeOwner = isKept(owner, lease)
  const claim = await model.handle(node, isLate)
  if (isStale) expect([await model.recorded(), await model.lease()]).toEqual([before, lease])
  if (!claim) return
  expect(claim.epoch).toBeGreaterThanOrEqual(lease?.epoch ?? 0)
  if (mustBeOwner) expect(node).toBe(owner)
  expect(owners.get(claim.epoch) ?? node.name).toBe(node.name)
  owners.set(claim.epoch, node.name)
}

async function run(model: AirModel, step: Step, owners: Map<number, string>): Promise<void> {
  if ('passes' in step) {
    // A connected node renews in time: its messages do not wait as long as a lease.
    for (const node of model.nodes) while (node.sent.length > 0) await handle(model, node, false, owners)
    return model.pass(step.passes)
  }
  const node = model.nodes[step.at] as SimulatedNode
  const todo: Record<keyof typeof acts, () => unknown> = {
    arrive: () => node.arrive(),
    async flow() {
      while (node.sent.length > 0) await handle(model, node, false, owners)
      node.takeAll()
    },
    handle: () => handle(model, node, false, owners),
    handleLate: () => handle(model, node, true, owners),
    receive: () => node.takeAll(),
    silence: () => node.turn(false),
    send: () => node.turn(true),
    lose: () => node.lose(),
    end: () => node.end(),
    measure: () => model.measure(node),
    cut: () => node.cut(false),
    cutAndLose: () => node.cut(true),
    connect: () => node.connect(),
    kill: () => node.kill(false),
    endLost: () => endLost(world.services),
  }
  await todo[step.act]()
}

/** Two nodes publish at a time only when the older owner could not be reached. */
function expectOnePublisher({ nodes }: AirModel): void {
  const [newer, older] = nodes.filter(({ live }) => live).toSorted((a, b) => b.live!.epoch - a.live!.epoch)
  if (!newer || !older) return
  expect(newer.live!.epoch).toBeGreaterThan(older.live!.epoch)
  const isTold = older.sent.length > 0 || older.got.some(({ type }) => type === 'stop')
  expect(older.isUp && !isTold).toBe(false)
}

test('has one owner, ignores earlier owners, and ends in the state of the nodes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (todo) => {
      const id = await fundedProject({ db: world.app.db, clock: world.clock }, 'usd', {
        bonus: 0,
        payment: 0,
        profit: 0,
      })
      const { key } = await readStreamKey(world.services, id)
      const model = new AirModel(world.services, { id, key })
      const owners = new Map<number, string>()
      for (const step of todo) {
        await run(model, step, owners)
        expectOnePublisher(model)
      }
      await model.settle()
      const live = model.nodes.filter((node) => node.live)
      const onAir = await model.onAir()
      expect(live.length).toBeLessThanOrEqual(1)
      expect(onAir.map(({ node }) => node)).toEqual(live.map(({ name }) => name))
      if (live[0]) expect(await model.lease()).toMatchObject({ node: live[0].name, epoch: live[0].live?.epoch })
    }),
    { numRuns: roundsOf({ usual: 80, onPostgres: 20, nightly: 300 }), seed: 20_261_122 },
  )
})
