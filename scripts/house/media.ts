// Installs the programs of the tests: ffmpeg as encoder and probe, nginx-rtmp as platform, NATS as bus.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { aptInstall } from './debian.ts'
import { say } from './step.ts'

const programs: readonly { readonly name: string; readonly is: () => boolean; readonly what: string }[] = [
  { name: 'ffmpeg', is: () => runs('ffmpeg'), what: 'ffmpeg, which the relay is tested with' },
  {
    name: 'libnginx-mod-rtmp',
    is: () => runs('nginx') && existsSync('/usr/lib/nginx/modules/ngx_rtmp_module.so'),
    what: 'nginx with RTMP, which the relay is tested with',
  },
  {
    name: 'libnginx-mod-stream',
    is: () => runs('nginx') && existsSync('/usr/lib/nginx/modules/ngx_stream_module.so'),
    what: 'nginx with TLS for streams, which RTMPS is tested with',
  },
  { name: 'nats-server', is: () => runs('nats-server'), what: 'NATS, which replicas are tested with' },
  { name: 'pebble', is: () => runs('pebble'), what: 'pebble, the authority of tests that order certificates' },
  { name: 'openssl', is: () => runs('openssl'), what: 'openssl, which makes the certificates of tests' },
]

const runs = (name: string): boolean => spawnSync(name, ['-version'], { stdio: 'ignore' }).status !== null

/** Installs missing programs where possible; prints a line where it is not. */
export async function ensureMedia(): Promise<void> {
  for (const { name, is, what } of programs)
    if (!is() && !((await aptInstall(name, what)) && is()))
      say(`${name} is missing and could not be installed: tests that need it are skipped, or fail`)
}
