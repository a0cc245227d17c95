// Page of the second step of a sign-in: a code of the authenticator app, or a recovery code.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { cookieIn, setCookie } from '#server/core/cookies.ts'
import { dayMs } from '#server/core/clock.ts'
import { originOf } from '#server/core/http.ts'
import { type Browser, rememberedDays } from '#server/domain/account/remembered-browsers.ts'
import { returnTo } from '#server/domain/account/return-to.ts'
import { finishSignIn, mayFinish, proveByCode } from '#server/domain/account/second-step.ts'
import { Form, render, take } from './forms.ts'

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
    return (await mayFinish(services, form.code))
      ? render(services, 'second', request, reply, { form, problems: [], status: 200 })
      : startAgain(services, request, reply, form)
  })

  app.post('/auth/local/second', { config }, (request, reply) =>
    take(services, 'second', request, reply, async (form, again) => {
      const back = returnTo(form.redirect || undefined, originOf(request, services.config.publicUrl), services.config)
      if (!back) return again([{ text: 'badReturn' }], 400)
      const first = { challenge: form.code, state: form.state, back }
      const options = { browser: browserOf(request), remember: form.remember === 'on' }
      const step = await finishSignIn(
        services,
        first,
        (trx, userId) => proveByCode(services, trx, userId, form.factor),
        options,
      )
      if (step === 'over') return startAgain(services, request, reply, form)
      if (step === 'wrong') return again([{ field: 'factor', text: 'factorWrong' }])
      if ('locked' in step) {
        reply.header('retry-after', String(step.locked))
        return again([{ field: 'factor', text: 'factorLocked' }], 429)
      }
      if (step.token !== null) {
        const seconds = (rememberedDays * dayMs) / 1000
        setCookie(request, reply, { name: 'rd_browser', value: step.token, path: '/', seconds })
      }
      return reply.redirect(step.to, 303)
    }),
  )
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
