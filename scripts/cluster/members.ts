// Members of a cluster as programs on their machines: balancer, replicas, relay nodes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { relayProgram } from '#server/relay/program.ts'
import type { NatsServer } from '#server/testing/nats.ts'
import type { KilledProvider } from '#server/testing/pay/killed-provider.ts'
import { serviceProcess } from '#server/testing/process.ts'
import type { Disk } from './disks.ts'
import { haproxyFile } from './haproxy-file.ts'
import type { Postgres } from '#scripts/house/postgres.ts'
import { addresses, leadToTest, machines } from './network.ts'
import { type Program, programOf } from './programs.ts'

/** Port of the replicas. */
export const servicePort = 8080
const token = 'a token that the nodes and the replicas share'

export interface Members {
  readonly replicas: readonly [Program, Program]
  readonly relays: readonly [Program, Program]
  readonly balancer: Program
}

interface Around {
  readonly folder: string
  /** Folder of the built programs. */
  readonly programs: string
  readonly postgres: Postgres
  /** Disks with the data folders of the replicas. */
  readonly disks: Readonly<Record<'replica-a' | 'replica-b', Disk>>
  readonly bus: NatsServer
  readonly provider: KilledProvider
}

/** Prepares the members of a cluster. None is started. */
export function membersOf(around: Around): Members {
  const { folder } = around
  const file = join(folder, 'haproxy.cfg')
  const both = [`${machines['replica-a']}:${servicePort}`, `${machines['replica-b']}:${servicePort}`] as const
  writeFileSync(file, haproxyFile(':80', both))
  const command = ['haproxy', '-db', '-f', file]
  return {
    replicas: [replica('replica-a', around), replica('replica-b', around)],
    relays: [relay('relay-one', around), relay('relay-two', around)],
    balancer: programOf({
      machine: 'balancer',
      folder: join(folder, 'balancer'),
      command,
      env: {},
      isSupervised: false,
    }),
  }
}

function replica(
  machine: 'replica-a' | 'replica-b',
  { folder, programs, postgres, disks, bus, provider }: Around,
): Program {
  const { PROVIDER_BASES: base = '', ...account } = provider.env
  leadToTest(machine, Number(new URL(base.split('=')[1] ?? '').port))
  const { env } = serviceProcess({
    HOST: '0.0.0.0',
    PORT: String(servicePort),
    DATA_DIR: disks[machine].folder,
    DATABASE_URL: postgres.url,
    NATS_URL: bus.url,
    SECRET: 'a secret of the replicas of the cluster',
    RELAY_TOKEN: token,
    TRUST_PROXY: machines.balancer,
    PUBLIC_URL: `http://${machines.balancer}`,
    ALLOW_PRIVATE_DESTINATIONS: 'on',
    PLATFORM_HOSTS: addresses.test,
    ACCESS_TTL: '7200',
    ...account,
    // A service takes HTTPS or its own machine.
    PROVIDER_BASES: base.replace(addresses.test, '127.0.0.1'),
  })
  return programOf({
    machine,
    folder: join(folder, machine),
    command: [process.execPath, join(programs, 'supervisor.js'), join(programs, 'service.js')],
    env: env as Readonly<Record<string, string>>,
    isSupervised: true,
  })
}

function relay(machine: 'relay-one' | 'relay-two', { folder, programs }: Around): Program {
  return programOf({
    machine,
    folder: join(folder, machine),
    command: [process.execPath, ...relayProgram(join(programs, 'relay.js'))],
    env: {
      SERVICE_URL: `ws://${machines.balancer}/relay`,
      RELAY_TOKEN: token,
      RELAY_NAME: machine,
      RELAY_PUBLIC_HOST: machines[machine],
      RTMP_HOST: '0.0.0.0',
      SRT_PORT: 'off',
      FFMPEG: '',
      RECORDINGS_DIR: '',
      ALLOW_PRIVATE_DESTINATIONS: 'on',
    },
    isSupervised: false,
  })
}
