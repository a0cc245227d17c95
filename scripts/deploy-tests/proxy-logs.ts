// Runs the shipped files of nginx and Caddy in front of nothing, and returns what they log.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { poll } from '#scripts/house/poll.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import type { Stage } from './stage.ts'

/** Requests `target` of both, which refuse it because no service answers. @returns the text of all logs */
export async function proxyLogs({ folder, onClose }: Stage, target: string): Promise<string> {
  const [plain, tls, caddy] = [await freePort(), await freePort(), await freePort()]
  const nginxFile = join(folder, 'nginx-logs.conf')
  const rules = readFileSync('deploy/proxy/nginx.conf', 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${tls};`)
    .replaceAll(/^ +ssl_certificate.*$/gm, '')
    .replaceAll('/var/log/nginx/', `${folder}/`)
    .replace('127.0.0.1:8080', '127.0.0.1:1')
  writeFileSync(nginxFile, `pid ${join(folder, 'nginx-logs.pid')};\nevents {}\nhttp {\n${rules}\n}\n`)
  const caddyFile = join(folder, 'Caddyfile')
  const site = readFileSync('deploy/proxy/Caddyfile', 'utf8')
    .replace('live.example.com {', `http://127.0.0.1:${caddy} {\n\tlog`)
    .replace('127.0.0.1:8080', '127.0.0.1:1')
    .replace('{\n\t#', '{\n\tadmin off\n\t#')
  writeFileSync(caddyFile, site)
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  let said = ''
  for (const [program, args] of [
    ['nginx', ['-e', join(folder, 'nginx-start.log'), '-c', nginxFile, '-g', 'daemon off;']],
    ['caddy', ['run', '--config', caddyFile, '--adapter', 'caddyfile']],
  ] as const) {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...home } })
    child.stderr.on('data', (data: Buffer) => (said += data.toString()))
    onClose(() => void child.kill('SIGTERM'))
  }
  const headers = { referer: `https://live.example.com${target}` }
  for (const port of [plain, tls, caddy])
    await poll(`an answer at ${port}`, () =>
      fetch(`http://127.0.0.1:${port}${target}`, { headers, redirect: 'manual' }).then(
        () => true,
        () => false,
      ),
    )
  const logged = () =>
    ['access.log', 'error.log'].map((file) => readFileSync(join(folder, file), 'utf8')).join('') + said
  await poll('log entries of both', () => /"GET \/\S+" 502/.test(logged()) && /handled request/.test(said))
  return logged()
}
