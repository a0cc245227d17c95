// Page behind the link to a new e-mail address: confirms the change.
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { confirmEmail, mayConfirmEmail } from '#server/domain/account/email-change.ts'
import { Form, languageOf, render, send, take } from './forms.ts'
import { message } from './page.ts'

/** Adds the page. */
export function serveEmailLink(app: FastifyInstance, services: Services): void {
  const config = { operation: 'confirm' }

  app.get('/auth/local/confirm', { config }, async (request, reply) => {
    const form = Form.parse(request.query ?? {})
    if (await mayConfirmEmail(services, form.code)) {
      return render(services, 'confirm', request, reply, { form, problems: [], status: 200 })
    }
    // The text comes from a signed link only.
    const unsaid = { ...form, email: '' }
    return render(services, 'confirm', request, reply, {
      form: unsaid,
      problems: [{ text: 'codeRejected' }],
      status: 410,
    })
  })

  app.post('/auth/local/confirm', { config }, (request, reply) =>
    take(services, 'confirm', request, reply, async (form, again) => {
      try {
        await confirmEmail(services, form.code, form.email)
      } catch (error) {
        if (error instanceof RuleError && error.name === 'EmailTaken') return again([{ text: 'emailInUse' }])
        throw error
      }
      return send(services, request, reply, { text: message(languageOf(form, request), 'emailConfirmed') })
    }),
  )
}
