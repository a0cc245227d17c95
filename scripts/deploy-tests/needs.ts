// Tools and rights that scenarios need of the machine.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { clockLibrary } from '#scripts/cluster/programs.ts'
import { aptInstall, isRoot } from '#scripts/house/debian.ts'

interface Tool {
  readonly is: () => boolean
  /** Debian package; left out: the machine has it or not. */
  readonly from?: string
  /** Sentence for a machine without it. */
  readonly lack: string
}

const runs = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== null

const tools = {
  root: { is: () => isRoot, lack: 'It needs root' },
  linux: {
    is: () => process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch),
    lack: 'It needs Linux on x64 or arm64',
  },
  debian: { is: () => existsSync('/usr/bin/apt-get'), lack: 'It needs Debian' },
  mmdebstrap: { is: () => runs('mmdebstrap'), from: 'mmdebstrap', lack: 'mmdebstrap is missing' },
  nspawn: { is: () => runs('systemd-nspawn'), from: 'systemd-container', lack: 'systemd-nspawn is missing' },
  haproxy: { is: () => runs('haproxy'), from: 'haproxy', lack: 'haproxy is missing' },
  nginx: { is: () => runs('nginx'), from: 'nginx', lack: 'nginx is missing' },
  caddy: { is: () => runs('caddy'), from: 'caddy', lack: 'caddy is missing' },
  buildah: { is: () => runs('buildah'), from: 'buildah', lack: 'buildah is missing' },
  podman: { is: () => runs('podman'), from: 'podman', lack: 'podman is missing' },
  crun: { is: () => runs('crun'), from: 'crun', lack: 'crun is missing' },
  'podman-compose': { is: () => runs('podman-compose'), from: 'podman-compose', lack: 'podman-compose is missing' },
  netavark: { is: () => existsSync('/usr/lib/podman/netavark'), from: 'netavark', lack: 'netavark is missing' },
  'aardvark-dns': {
    is: () => existsSync('/usr/lib/podman/aardvark-dns'),
    from: 'aardvark-dns',
    lack: 'aardvark-dns is missing',
  },
  iptables: { is: () => runs('iptables'), from: 'iptables', lack: 'iptables is missing' },
  qemu: { is: () => runs('qemu-aarch64-static'), from: 'qemu-user-static', lack: 'qemu-aarch64-static is missing' },
  nats: { is: () => runs('nats-server'), from: 'nats-server', lack: 'nats-server is missing' },
  ip: { is: () => runs('ip'), from: 'iproute2', lack: 'ip (iproute2) is missing' },
  nft: { is: () => runs('nft'), from: 'nftables', lack: 'nft (nftables) is missing' },
  faketime: { is: () => clockLibrary() !== '', from: 'libfaketime', lack: 'libfaketime is missing' },
  pebble: { is: () => runs('pebble'), from: 'pebble', lack: 'pebble is missing' },
  ffmpeg: { is: () => runs('ffmpeg'), from: 'ffmpeg', lack: 'ffmpeg is missing' },
} as const satisfies Readonly<Record<string, Tool>>

/** Name of a tool or a right. */
export type Need = keyof typeof tools

/**
 * Installs missing tools where possible.
 * @returns sentences about those that are missing, and whether this machine can install tools
 */
export async function lacksOf(
  needs: readonly Need[],
): Promise<{ readonly lacks: readonly string[]; readonly canInstall: boolean }> {
  const lacks: string[] = []
  for (const need of needs) {
    const { is, lack, from }: Tool = tools[need]
    if (is()) continue
    if (from !== undefined && (await aptInstall(from, `${from}, which the tests of the deployment use`)) && is())
      continue
    lacks.push(lack)
  }
  return { lacks, canInstall: isRoot && existsSync('/usr/bin/apt-get') }
}
