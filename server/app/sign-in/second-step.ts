// Page of the second step of a sign-in: a code of the authenticator app, or a recovery code.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { cookieIn, setCookie } from '#server/core/cookies.ts'
import { dayMs } from '#server/core/clock.ts'
import { originOf } from '#server/core/http.ts'
import type { Trx } from '#server/db/open.ts'
import { type Browser, rememberedDays } from '#server/domain/account/remembered-browsers.ts'
import { returnTo } from '#server/domain/account/return-to.ts'
import { proveByPasskey } from '#server/domain/account/passkeys.ts'
import { finishSignIn, proveByCode, userOfFirstStep, type Verdict } from '#server/domain/account/second-step.ts'
import { type Again, Form, render, take } from './forms.ts'
import { assertionIn } from './passkeys.ts'

/** Returns the browser of a request, as far as the sign-in pages know it. */
export const browserOf = ({ headers, ip }: FastifyRequest): Browser => ({
  token: cookieIn(headers.cookie ?? '', 'rd_browser'),
  userAgent: headers['user-agent'] ?? '',
  address: ip,
})

/** Adds the page. */
export function serveSecondStep(app: FastifyInstance, services: Services): void {
  const config = { operation: 'second' }

  app.get('/auth/local/second', { config }, async (request, reply) => {
    const form = Form.parse(request.query ?? {})
    return (await userOfFirstStep(services, form.code)) !== null
      ? render(services, 'second', request, reply, { form, problems: [], status: 200 })
      : startAgain(services, request, reply, form)
  })

  app.post('/auth/local/second', { config }, (request, reply) =>
    take(services, 'second', request, reply, async (form, again) => {
      const back = returnTo(form.redirect || undefined, originOf(request, services.config.publicUrl), services.config)
      if (!back) return again([{ text: 'badReturn' }], 400)
      const first = { challenge: form.code, state: form.state, back }
      const options = { browser: browserOf(request), remember: form.remember === 'on' }
      const origin = originOf(request, services.config.publicUrl)
      const prove = async (trx: Trx, userId: number): Promise<Verdict> => {
        if (form.passkey === '') return proveByCode(services, trx, userId, form.factor)
        const response = assertionIn(form)
        const proof = response && (await proveByPasskey(services, trx, { response, origin }, userId))
        return proof?.verdict ?? 'wrong'
      }
      const step = await finishSignIn(services, first, prove, options)
      if (step === 'over') return startAgain(services, request, reply, form)
      if (typeof step === 'string' || 'locked' in step) return notPassed(step, form, again, reply)
      if (step.token !== null) {
        const seconds = (rememberedDays * dayMs) / 1000
        setCookie(request, reply, { name: 'rd_browser', value: step.token, path: '/', seconds })
      }
      return reply.redirect(step.to, 303)
    }),
  )
}

const passkeyTexts = { wrong: 'passkeyWrong', origin: 'passkeyOrigin', cloned: 'passkeyCloned' } as const

/** Shows the page again, with why a factor was refused. */
export function notPassed(
  verdict: Exclude<Verdict, 'passed'>,
  { passkey }: Form,
  again: Again,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (typeof verdict === 'string') {
    const isByCode = passkey === '' && verdict === 'wrong'
    return again([isByCode ? { field: 'factor', text: 'factorWrong' } : { text: passkeyTexts[verdict] }])
  }
  reply.header('retry-after', String(verdict.locked))
  return again([{ field: 'factor', text: 'factorLocked' }], 429)
}

/** Shows the first step again. The challenge is no code of that page. */
const startAgain = (
  services: Services,
  ...[request, reply, form]: [FastifyRequest, Parameters<typeof render>[3], Form]
) =>
  render(services, 'sign-in', request, reply, {
    form: { ...form, code: '' },
    problems: [{ text: 'secondOver' }],
    status: 410,
  })
