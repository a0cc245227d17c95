// Passkeys on the sign-in pages: their script, the challenge, and the response that a form brings.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { PasskeyAssertion } from '#contract/areas/account/security.ts'
import type { Services } from '#server/core/context.ts'
import { originOf } from '#server/core/http.ts'
import { networkOf } from '#server/core/limits.ts'
import { root } from '#server/core/root.ts'
import { textViolations } from '#server/core/texts.ts'
import { askPasskey, type Assertion } from '#server/domain/account/passkeys.ts'
import { userOfFirstStep } from '#server/domain/account/second-step.ts'
import { type Form, formIn, isOwnForm } from './forms.ts'

const challengesPerMinute = 30

const library = dirname(createRequire(import.meta.url).resolve('@simplewebauthn/browser'))
const scripts = {
  'passkey.js': join(root, 'server/app/sign-in/passkey.js'),
  'webauthn.js': join(library, '../dist/bundle/index.umd.min.js'),
}

/** Adds the scripts and the challenges. */
export function servePasskeys(app: FastifyInstance, services: Services): void {
  for (const [name, path] of Object.entries(scripts)) {
    const script = readFileSync(path, 'utf8')
    app.get(`/auth/local/${name}`, (_, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600').send(script),
    )
  }
  for (const kind of ['sign-in', 'second'] as const)
    app.post(`/auth/local/${kind}/passkey`, { config: { operation: kind } }, async (request, reply) => {
      const form = formIn(request)
      services.limits.count(`passkey ${networkOf(request.ip)}`, challengesPerMinute)
      const userId = kind === 'second' ? await userOfFirstStep(services, form.code) : null
      const isOver = kind === 'second' && userId === null
      if (isOver || !isOwnForm(request, form.csrf, services.config.secret)) return reply.code(403).send({})
      return reply.send(await askPasskey(services, originOf(request, services.config.publicUrl), userId))
    })
}

/** Returns the response of a passkey that a form brings; null when it is malformed. */
export function assertionIn({ passkey }: Form): Assertion | null {
  try {
    const parsed = PasskeyAssertion.safeParse(JSON.parse(passkey))
    // As in bodies of the API: PostgreSQL stores no NUL.
    return parsed.success && textViolations(parsed.data).length === 0 ? (parsed.data as Assertion) : null
  } catch {
    return null
  }
}
