// An archive unpacked in a Debian of the essential packages, without Node: it serves, hashes passwords and makes PDFs.
import { strict as assert } from 'node:assert'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { papers } from '#contract/areas/billing/papers.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { signUp } from '#server/testing/process.ts'
import { callerOf } from '#scripts/deploy-tests/api.ts'
import type { DebianRoot } from '#scripts/deploy-tests/debian-root.ts'
import { poll } from '#scripts/house/poll.ts'
import type { Stage } from '#scripts/deploy-tests/stage.ts'

export const name = 'Archive in a Debian of essential packages, without Node'
export const needs = ['linux', 'root', 'debian', 'mmdebstrap'] as const

const user = 990
const opt = '/opt/relaydeck'

export async function run(stage: Stage): Promise<void> {
  const { archive, check } = stage
  const root = stage.root()
  await check('the root has no Node, npm or xz', () => {
    for (const program of ['node', 'npm', 'xz']) assert.throws(() => root.run(['sh', '-c', `command -v ${program}`]))
  })
  const command = await unpack(stage, root)
  await check('MANIFEST lists the checksum of each file', () =>
    root.run(['sh', '-c', `cd ${opt}/${archive.folder} && sha256sum --quiet -c MANIFEST`]),
  )
  const port = await freePort()
  const env = { PORT: String(port), DATA_DIR: '/srv/data', RELAY: 'off', BACKUPS: 'off', BILLING: 'plans' }
  const settings = { ...env, SIGN_UP: 'open', INVOICE_DETAILS: 'Pay to the account 1', LOG_LEVEL: 'warn' }
  const since = performance.now()
  const { child, end } = root.start(['chroot', `--userspec=${user}:${user}`, '/', command, 'serve'], settings)
  stage.onClose(end)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)))
  const url = `http://127.0.0.1:${port}`
  await check('the service is ready', () =>
    poll(`readiness; it printed: ${printed}`, async () => (await fetch(`${url}/readyz`)).ok),
  )
  stage.measured('from the command to ready', `${((performance.now() - since) / 1000).toFixed(1)} s`)
  await check('the dashboard and the sign-in style are served', async () => {
    assert.match(await (await fetch(url)).text(), /<div id="root"/)
    assert.equal((await fetch(`${url}/auth/local/style.css`)).status, 200)
  })
  const email = 'ann@example.com'
  const { accessToken } = await check('a password is hashed and signs in', () => signUp(url, email))
  await check('a command of root leaves no file of root', () => {
    root.run([command, 'operator', email], settings)
    const foreign = root.run(['find', '/srv/data', '!', '-uid', String(user)])
    assert.equal(foreign, '')
  })
  await check('a receipt is made as PDF', () => openReceipt(url, accessToken))
}

/** Unpacks the archive with the tar of the root. @returns the command */
async function unpack({ archive, measured, check }: Stage, root: DebianRoot): Promise<string> {
  const { file, folder } = archive
  mkdirSync(join(root.folder, opt), { recursive: true })
  const data = join(root.folder, 'srv/data')
  mkdirSync(data, { mode: 0o750 })
  chownSync(data, user, user)
  copyFileSync(file, join(root.folder, 'archive.tar.gz'))
  // Programs ask for the name of their user.
  writeFileSync(join(root.folder, 'etc/passwd'), `relaydeck:x:${user}:${user}::/srv/data:/usr/sbin/nologin\n`, {
    flag: 'a',
  })
  const since = performance.now()
  await check('tar of the root unpacks the archive', () => {
    root.run(['tar', '-xzf', '/archive.tar.gz', '-C', opt])
    assert(existsSync(join(root.folder, opt, folder, 'RELEASE.json')))
  })
  measured('unpacked in', `${((performance.now() - since) / 1000).toFixed(1)} s`)
  const command = `${opt}/${folder}/bin/relaydeck`
  await check('`relaydeck version` names the release', () => {
    const facts = JSON.parse(readFileSync(join(root.folder, opt, folder, 'RELEASE.json'), 'utf8'))
    assert.match(root.run([command, 'version']), new RegExp(`^relaydeck ${facts.version} linux-${process.arch} `))
  })
  return command
}

/** Pays an invoice as an operator notes it, and reads its receipt. */
async function openReceipt(url: string, token: string): Promise<void> {
  const api = callerOf(url, token)
  const project_id = (await api(projects.list, {})).results[0]?.id ?? 0
  const { payment_id } = await api(payments.create, { project_id, type: 'topup', amount: 2500 })
  await api(paySystems.create, { payment_id })
  await api(operatorPayments.markPaid, { payment_id, amount: 2500, reason: 'Statement 7' })
  const receipt = await poll('the receipt', async () =>
    (await api(papers.list, { project_id, payment_id })).results.find(({ kind }) => kind === 'receipt'),
  )
  const answer = await fetch(new URL(receipt.pdf_url ?? '', url))
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  assert.equal(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 5), '%PDF-')
}
