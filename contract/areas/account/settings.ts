// Account settings beside the profile: password, e-mail, language. Ours: none of them is published.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { write } from '#contract/core/operation.ts'
import { Nothing, Success } from '#contract/core/wire.ts'
import { PasskeyAssertion } from './security.ts'
import { passwordMax, passwordMin } from '#contract/entities/account.ts'

const oldPassword = z._default(z.string().check(z.maxLength(passwordMax)), '')

export const settings = group(
  'account.settings',
  { prefix: 'account', title: 'Account settings' },
  {
    password: write('POST', 'password', {
      name: 'Change the password',
      input: z.object({
        old_password: oldPassword,
        new_password: z.string().check(z.minLength(passwordMin), z.maxLength(passwordMax)),
      }),
      output: Success,
      auth: 'session',
      scope: 'session',
      revokes: true,
      provenance: 'decided',
      replay: 'never',
      notes: { old_password: 'empty where the account has none yet' },
      stale: ['account.sessions', 'account.socials'],
    }),
    email: write('POST', 'email', {
      name: 'Change the e-mail',
      input: z.object({
        email: z.string().check(z.maxLength(254), z.regex(/^\s*[^\s@]+@[^\s@]+\s*$/)),
        password: oldPassword,
      }),
      output: z.extend(Success, { confirm: z.boolean() }),
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      replay: 'never',
      notes: {
        password: 'empty where the account has none yet',
        confirm: 'takes effect when the link in the e-mail is opened',
      },
      stale: ['account.auth.me', 'account.socials'],
    }),
    confirm: write('POST', 'confirm', {
      name: 'Confirm the sign-in',
      input: z.object({
        password: oldPassword,
        code: z._default(z.string().check(z.maxLength(100)), ''),
        passkey: z.optional(PasskeyAssertion),
      }),
      output: Success,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      replay: 'never',
      notes: {
        password: 'makes the session count as a new sign-in',
        code: 'of the authenticator app, or a recovery code; takes the place of the password where there is a second factor',
        passkey: 'takes the place of the code',
      },
      stale: [],
    }),
    language: write('POST', 'language', {
      name: 'Set the language',
      input: Nothing,
      output: Success,
      auth: 'session',
      scope: 'profile:write',
      provenance: 'decided',
      notes: { language: 'the one that the account gets' },
      stale: ['account.auth.me', 'account.profile'],
    }),
  },
)
