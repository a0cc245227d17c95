// Password reset: the page that sends a link, and the page behind the link.
import type { FastifyInstance } from 'fastify'
import type { Language } from '#contract/core/wire.ts'
import type { Services } from '#server/core/context.ts'
import { recoveryMail, sendMail } from '#server/domain/account/mail.ts'
import { issueRecovery, mayRecover, recover } from '#server/domain/account/recovery.ts'
import { rememberDevice } from './device-cookie.ts'
import { Form, languageOf, render, send, take } from './forms.ts'
import { message } from './page.ts'

/** Where a code of `issueRecovery` sets a new password. @param url where people reach the service */
export const recoveryLink = (url: string, code: string, language?: Language): string =>
  `${url}/auth/local/recover?${new URLSearchParams({ code, ...(language && { language }) }).toString()}`

/** Adds both pages. */
export function serveRecovery(app: FastifyInstance, services: Services): void {
  const [forgot, chosen] = [{ config: { operation: 'forgot' } }, { config: { operation: 'recover' } }]

  app.get('/auth/local/forgot', forgot, (request, reply) => {
    const form = Form.parse(request.query ?? {})
    if (services.config.mail === null)
      return send(services, request, reply, { text: message(languageOf(form, request), 'noMail') })
    return render(services, 'forgot', request, reply, { form, problems: [], status: 200 })
  })

  app.post('/auth/local/forgot', forgot, (request, reply) =>
    take(services, 'forgot', request, reply, async (form) => {
      const language = languageOf(form, request)
      // Not waited for: how long it takes would tell whether there is such an account.
      mail(form.email, language).catch((error: unknown) =>
        services.log.error({ err: error }, 'A link for a new password could not be made'),
      )
      return send(services, request, reply, { text: message(language, 'linkSent') })
    }),
  )

  app.get('/auth/local/recover', chosen, async (request, reply) => {
    const form = Form.parse(request.query ?? {})
    const problems = (await mayRecover(services, form.code)) ? [] : [{ text: 'codeRejected' } as const]
    return render(services, 'recover', request, reply, { form, problems, status: problems.length > 0 ? 410 : 200 })
  })

  app.post('/auth/local/recover', chosen, (request, reply) =>
    take(services, 'recover', request, reply, async (form) => {
      const email = await recover(services, form.code, form.password)
      // A link opens the way in also while others use up the attempts of the account.
      if (email !== null) rememberDevice(services.config, request, reply, email)
      return send(services, request, reply, { text: message(languageOf(form, request), 'passwordSet') })
    }),
  )

  async function mail(email: string, language: Language): Promise<void> {
    const issued = await issueRecovery(services, email)
    if (issued === null) return
    await sendMail(services, issued.to, (origin) => recoveryMail(language, recoveryLink(origin, issued.code, language)))
  }
}
