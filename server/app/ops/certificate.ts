// Orders the certificate of TLS_CERT from an authority that speaks ACME (RFC 8555), by http-01. The running service answers the
// challenges. Loads the client of ACME, which takes 41 MB: commands only.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { parseArgs } from 'node:util'
import { axios, Client, crypto } from 'acme-client'
import { causeOf } from '#server/core/errors.ts'
import { readCertificate } from '#server/core/certificate.ts'
import { iso } from '#server/core/clock.ts'
import type { Config } from '#server/core/settings.ts'
import type { Db } from '#server/db/open.ts'
import { insertChallenge, removeChallenge } from '#server/domain/installation/acme-store.ts'
import { commandLine } from '#server/app/start/start-error.ts'
import {
  accountFile,
  isRenewalDue,
  readOrder,
  readText,
  type Wish,
  writeOrder,
  writeWhole,
} from './certificate-files.ts'

/** Time in which the authority may ask for an answer, milliseconds. */
const challengeMs = 3_600_000
/** Time for an order, milliseconds. */
const orderMs = 5 * 60_000
const directoryMs = 30_000

// An authority that is away is asked again once here, after 5 s, and then by the job, hourly.
Object.assign((axios.defaults as { acmeSettings?: object }).acmeSettings ?? {}, { retryMaxAttempts: 1 })

/** Why there is no new certificate: a sentence for the operator. The one before stays. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
}

/** A name that an authority can check by http-01: no wildcard, no address. */
const nameShape = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** Reads the words of the command. @throws CertificateError for a missing or wrong one */
export function wishOf(words: readonly string[]): Wish {
  const form = commandLine('certificate <name>… --accept-terms [--email <e-mail>]')
  let parsed
  try {
    const options = { 'accept-terms': { type: 'boolean' }, email: { type: 'string' } } as const
    parsed = parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    throw new CertificateError(`${(error as Error).message}. Use: ${form}`)
  }
  const { positionals: names, values } = parsed
  if (names.length === 0) throw new CertificateError(`Name the host of the certificate: ${form}`)
  const wrong = names.find((name) => !nameShape.test(name) || /^[\d.]+$/.test(name))
  if (wrong !== undefined)
    throw new CertificateError(
      `"${wrong}" is no host name that can be checked over HTTP: wildcards and addresses are not`,
    )
  if (values['accept-terms'] !== true)
    throw new CertificateError(
      `Read the terms of the authority (https://letsencrypt.org/repository/), and accept them: ${form}`,
    )
  return { names: names.map((name) => name.toLowerCase()), email: values.email ?? '' }
}

type Needed = Pick<Config, 'dataDir' | 'tls' | 'acmeDirectory'>

/**
 * Orders a certificate and writes it to TLS_CERT. The key of TLS_KEY is kept, or made if there is none, so that one file is
 * replaced and no crash leaves two that do not match.
 * @returns its end
 * @throws CertificateError; the files stay as they were
 */
export async function orderCertificate(config: Needed, db: Db, wish: Wish): Promise<Date> {
  const { tls, acmeDirectory: directory } = config
  if (tls === null)
    throw new CertificateError('Set TLS_CERT and TLS_KEY to the files that the certificate is written to')
  try {
    await mustAnswer(directory)
    const key = await keyIn(tls.key)
    const [, csr] = await crypto.createCsr({ commonName: wish.names[0] ?? '', altNames: [...wish.names] }, key)
    const client = new Client({ directoryUrl: directory, accountKey: await keyIn(accountFile(config)) })
    const cert = await inTime(
      client.auto({
        csr,
        ...(wish.email === '' ? {} : { email: wish.email }),
        termsOfServiceAgreed: true,
        // The machine may not reach itself by its public name.
        skipChallengeVerification: true,
        challengePriority: ['http-01'],
        challengeCreateFn: async (_, { token }, answer) => {
          const now = Date.now()
          await insertChallenge(db, { token, answer, until: iso(new Date(now + challengeMs)) }, iso(new Date(now)))
        },
        challengeRemoveFn: (_, { token }) => removeChallenge(db, token),
      }),
    )
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new CertificateError('The authority sent the certificate of another key')
    await writeWhole(tls.cert, cert)
    await writeOrder(config, { ...wish, names: [...wish.names], directory })
    return new Date(readCertificate(tls).until)
  } catch (error) {
    if (error instanceof CertificateError) throw error
    throw new CertificateError(
      `No certificate from ${directory}: ${causeOf(error)}. The authority must reach http://${wish.names[0]}/ on port 80 of this service. The certificate before, if any, stays in use`,
      { cause: error },
    )
  }
}

/** The ACME client drops the reason of a failed connection. @throws with the reason when the authority is unreachable */
async function mustAnswer(directory: string): Promise<void> {
  const answer = await fetch(directory, { signal: AbortSignal.timeout(directoryMs) })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`it answered ${answer.status}`)
}

/** Renews the certificate that was ordered here, when a third of its life or less is left. @returns the end of the one in use */
export async function renewCertificate(config: Needed, db: Db, now: Date): Promise<Date> {
  const order = await readOrder(config)
  if (order === null || config.tls === null)
    throw new CertificateError(`Nothing was ordered here: ${commandLine('certificate <name>… --accept-terms')}`)
  if (!(await isRenewalDue(config, now))) return new Date(readCertificate(config.tls).until)
  return orderCertificate({ ...config, acmeDirectory: order.directory }, db, order)
}

/** Returns the private key of a file, made once. */
async function keyIn(file: string): Promise<string> {
  const known = await readText(file)
  if (known !== null) return known
  const made = (await crypto.createPrivateEcdsaKey()).toString()
  await writeWhole(file, made)
  return made
}

/** @throws CertificateError when the order takes too long */
async function inTime<T>(order: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new CertificateError('The authority did not answer in 5 minutes')),
    orderMs,
  )
  try {
    return await Promise.race([order, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
