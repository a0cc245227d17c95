// RTMPS in both directions: streams over TLS, and refusal of invalid certificates.
import type { RtmpTarget } from '#contract/relay/desired-state.ts'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPublisher } from './destinations/publisher.ts'
import { openCertificate } from '#server/core/certificate.ts'
import { freePort } from './testing/free-port.ts'
import { hasTls, publish, sample, selfSigned, tlsInFront } from './testing/programs.ts'
import { live, onAir, project, rig, setUp, targetOf, times, until } from './testing/rig.ts'

const dir = mkdtempSync(join(tmpdir(), 'relaydeck-tls-'))
const before = getCACertificates('default')
let files: { readonly cert: string; readonly key: string }

/** Starts TLS in front of a platform. @returns the publishing address */
async function secured(to: { readonly port: number }, host = 'localhost', by = files): Promise<RtmpTarget> {
  const port = await freePort()
  const nginx = await tlsInFront(port, to.port, by)
  onTestFinished(() => nginx.stop())
  return { ...targetOf({ port }), protocol: 'rtmps', host }
}

describe.skipIf(!hasTls)('RTMPS', () => {
  beforeAll(async () => {
    files = await selfSigned(dir)
    setDefaultCACertificates([...before, readFileSync(files.cert, 'utf8')])
  })
  afterAll(() => {
    setDefaultCACertificates(before)
    rmSync(dir, { recursive: true, force: true })
  })

  test('sends every frame to a platform behind TLS', async () => {
    const [made, plain, behind] = await setUp(1)
    await onAir(made)
    await until(() => times(plain).length === 50)
    const targets = [targetOf(plain), await secured(behind)]
    made.relay.update(project, { destinations: targets.map((target, index) => ({ id: index + 1, target })) })
    await until(() => times(behind).length === 50)
    expect(times(behind)).toEqual(times(plain))
  })

  test('rejects a certificate of another name or an unknown issuer with its reason, and sends nothing', async () => {
    const [made, one, two] = await setUp(0)
    await onAir(made)
    const other = mkdtempSync(join(dir, 'other-'))
    const stranger = await selfSigned(other)
    const elsewhere = await selfSigned(mkdtempSync(join(dir, 'elsewhere-')), 'DNS:elsewhere.example')
    setDefaultCACertificates([...before, readFileSync(files.cert, 'utf8'), readFileSync(elsewhere.cert, 'utf8')])
    const targets = [await secured(one, 'localhost', stranger), await secured(two, 'localhost', elsewhere)]
    made.relay.update(project, { destinations: targets.map((target, index) => ({ id: index + 1, target })) })
    for (const id of [1, 2]) {
      await until(() => made.report(id)?.state === 'backoff')
      expect(made.report(id)?.reason).toBe('tls')
    }
    expect([one.arrived, two.arrived]).toEqual([[], []])
  })

  test('accepts an encoder by RTMPS, and by RTMP beside it', async () => {
    const [made, one] = await setUp(1)
    const certificate = openCertificate(files, () => undefined)
    onTestFinished(() => certificate.close())
    const { port } = await made.relay.listen(0, '127.0.0.1', { certificate })
    const url = `rtmps://127.0.0.1:${port}/live/good`
    expect(await publish(await sample(dir, 2), url).done()).toEqual({ code: 0, said: '' })
    await until(() => times(one).length > 100)
    expect(made.events[0]).toMatchObject({ type: 'source-began', address: '127.0.0.1' })
    await until(() => made.events.some(({ type }) => type === 'ended'))
    const plain = await onAir(made)
    await live(made, 1)
    plain.end()
  })

  test('loads a renewed certificate without a restart, and ignores an unreadable one', async () => {
    const mine = mkdtempSync(join(dir, 'mine-'))
    const [cert, key] = [join(mine, 'c.pem'), join(mine, 'k.pem')]
    const said: string[] = []
    const certificate = openCertificate({ cert, key }, (text) => said.push(text), 50)
    const made = await rig([])
    onTestFinished(async () => {
      certificate.close()
      await made.close()
    })
    const { port } = await made.relay.listen(0, '127.0.0.1', { certificate })
    expect(await shown(port)).toBe(null)
    copyFileSync(files.cert, cert)
    copyFileSync(files.key, key)
    await until(() => certificate.context() !== null)
    const first = await shown(port)
    expect(first).not.toBe(null)
    const next = await selfSigned(mkdtempSync(join(dir, 'next-')))
    const count = said.length
    copyFileSync(next.cert, cert)
    await until(() => said.length > count)
    expect(await shown(port)).toBe(first)
    copyFileSync(next.key, key)
    await until(() => said.at(-1)?.includes('was read'))
    expect(await shown(port)).not.toBe(first)
    expect(said.join('')).not.toContain('PRIVATE')
  })

  test('disconnects a client that does not finish TLS', async () => {
    const made = await rig([], { readyMs: 300 })
    const certificate = openCertificate(files, () => undefined)
    onTestFinished(async () => {
      certificate.close()
      await made.close()
    })
    const { port } = await made.relay.listen(0, '127.0.0.1', { certificate })
    const plain = openPublisher(
      connectPlain(port, '127.0.0.1'),
      targetOf({ port }),
      { onLive: () => undefined, onClose: () => closed.resolve(true) },
      { readyMs: 5_000 },
    )
    const closed = Promise.withResolvers<boolean>()
    expect(await closed.promise).toBe(true)
    plain.destroy()
  })
})

/** Fingerprint of the presented certificate; null if the connection fails. */
const shown = (port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256)
      socket.destroy()
    })
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(null))
  })
