// The sign-in and sign-up pages: plain HTML that works without any script, in the colours of the dashboard.
import type { Language } from '#contract/core/wire.ts'
import type { BillingMode } from '#contract/entities/plan.ts'
import { passwordMax, passwordMin } from '#contract/entities/account.ts'
import { type Html, html, languageTags } from '#server/app/http/html.ts'
import { fill } from '#server/core/locale.ts'
import { type Texts, texts } from './texts.ts'

/** Parameters that the forms pass on: return address, state, language. */
export interface Flow {
  readonly redirect: string
  readonly state: string
  readonly app: string
  readonly language: Language
  /** Of an invitation or of the owner's link. */
  readonly code: string
}

type FieldName = 'name' | 'email' | 'password' | 'factor'

interface Form {
  readonly title: keyof Texts
  readonly button: keyof Texts
  readonly hint?: keyof Texts
  readonly fields: readonly FieldName[]
  /** A password that is chosen now, not one that is known. */
  readonly chooses?: true
}

/** Title, fields and action of each page. */
const forms = {
  'sign-in': { title: 'signIn', button: 'enter', fields: ['email', 'password'] },
  'sign-up': { title: 'signUp', button: 'signUp', fields: ['name', 'email', 'password'], chooses: true },
  // To get a link by e-mail, and to use it.
  forgot: { title: 'recover', button: 'sendLink', hint: 'recoverHint', fields: ['email'] },
  recover: { title: 'recover', button: 'savePassword', fields: ['password'], chooses: true },
  // A code of the authenticator app, or a recovery code.
  second: { title: 'second', button: 'enter', hint: 'secondHint', fields: ['factor'] },
  // To agree to a new e-mail. By a button: programs that look into e-mails open links as well.
  confirm: { title: 'confirmEmail', button: 'confirmButton', hint: 'confirmHint', fields: [] },
} as const satisfies Readonly<Record<string, Form>>

export type Kind = keyof typeof forms

/** Content of a page. */
export interface View {
  readonly kind: Kind
  readonly flow: Flow
  readonly csrf: string
  /** Previous input; never the password. */
  readonly email?: string
  readonly name?: string
  readonly problems?: readonly { readonly field?: FieldName; readonly text: keyof Texts }[]
  /** The first account of the service. */
  readonly owner?: boolean
  /** The page offers the first answer to how the server is used; the chosen one. */
  readonly billing?: BillingMode | undefined
  /** Providers of social login. */
  readonly providers?: readonly (keyof typeof names)[]
  /** Sign-up is possible. */
  readonly open: boolean
}

/** A whole page. */
export function page(view: View): string {
  const { kind, flow } = view
  const t = texts[flow.language]
  const form: Form = forms[kind]
  const broken = (view.problems?.length ?? 0) > 0
  const password = form.chooses ? t.newPassword : t.password
  const labels = { name: t.name, email: t.email, password, factor: t.factor }
  const hidden = { ...flow, csrf: view.csrf, ...(kind === 'confirm' && { email: view.email ?? '' }) }
  const body = html`${view.owner === true && html`<p class="note">${t.firstOwner}</p>`} ${summary(view, t)}
    ${form.hint !== undefined && html`<p class="hint">${fill(t[form.hint], { email: view.email ?? '' })}</p>`}
    <form method="post" action="/auth/local/${kind}" novalidate>
      ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      ${form.fields.map((name) => field(view, form, name, labels[name]))}
      ${view.billing !== undefined && uses(view.billing, t)}
      ${kind === 'second' && html`<label class="check"><input type="checkbox" name="remember" value="on" />${t.remember}</label>`}
      ${(kind === 'sign-in' || kind === 'second') && html`<input type="hidden" name="passkey" value="" />`}
      <button type="submit">${t[form.button]}</button>
    </form>
    ${(kind === 'sign-in' || kind === 'second') && passkeyButton(kind, t)}
    ${(kind === 'sign-in' || kind === 'sign-up') && socialLogin(view, t)}
    ${linksOf(view).map(([to, text]) => html`<p class="other"><a href="/auth/local/${to}?${queryOf(kind === 'second' ? { ...flow, code: '' } : flow)}">${t[text]}</a></p>`)}`
  return frame({
    language: flow.language,
    title: t[form.title],
    before: broken ? `${t[headingOf(view)]} · ` : '',
    body,
  })
}

/** A page that only says something, with a way on. */
export const message = (language: Language, text: 'linkSent' | 'noMail' | 'passwordSet' | 'emailConfirmed'): string =>
  frame({
    language,
    title: texts[language][text === 'emailConfirmed' ? 'confirmEmail' : 'recover'],
    body: html`<p role="status">${texts[language][text]}</p>
      <p class="other"><a href="/">${texts[language].toDashboard}</a></p>`,
  })

/** Ways to the other pages. */
const linksOf = ({ kind, open }: View): readonly (readonly [Kind, keyof Texts])[] =>
  kind === 'sign-in'
    ? [['forgot', 'forgot'], ...(open ? ([['sign-up', 'noAccount']] as const) : [])]
    : [['sign-in', kind === 'sign-up' ? 'haveAccount' : kind === 'second' ? 'startAgain' : 'signIn']]

/** Layout of all pages of sign-in. */
export const frame = ({
  language,
  title,
  before = '',
  body,
}: {
  readonly language: Language
  readonly title: string
  /** Said before the title, in the title of the document. */
  readonly before?: string
  readonly body: Html
}): string =>
  html`<!doctype html>
    <html lang="${languageTags[language]}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${before}${title} &middot; Relaydeck</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/auth/local/style.css" />
      </head>
      <body>
        <main>
          <p class="brand"><img src="/icon.svg" alt="" width="32" height="32" />Relaydeck</p>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.text

/** Button that a script shows where the browser has passkeys. */
const passkeyButton = (kind: Kind, t: Texts): Html =>
  html`<button
      type="button"
      class="passkey"
      id="passkey"
      hidden
      data-options="/auth/local/${kind}/passkey"
      data-declined="${t.passkeyDeclined}"
      data-failed="${t.passkeyFailed}"
    >
      ${t.withPasskey}
    </button>
    <p class="hint" id="passkey-problem" role="status"></p>
    <script src="/auth/local/passkey.js" defer></script>`

const names = { google: 'Google', vk: 'VK', 'vk-id': 'VK ID', telegram: 'Telegram' }

/** Buttons of social login. They need a state, which proves that this browser started it. */
const socialLogin = ({ flow, providers = [] }: View, t: Texts): Html | false =>
  providers.length > 0 &&
  flow.state !== '' &&
  html`<p class="or" id="or">${t.or}</p>
    <ul class="social-login" aria-labelledby="or">
      ${providers.map((name) => html`<li><a href="/auth/local/with/${name}?${queryOf(flow)}">${fill(t.with, { provider: names[name] })}</a></li>`)}
    </ul>`

/** Heading of the error summary: sign-in has its own; otherwise it depends on whether a field can be corrected. */
const headingOf = ({ kind, problems = [] }: View): keyof Texts =>
  kind === 'sign-in' || kind === 'second'
    ? 'notSignedIn'
    : problems.some(({ field: name }) => name !== undefined)
      ? 'fix'
      : 'problem'

/** Error summary: first on the page, announced, with a link to each invalid field. */
const summary = (view: View, t: Texts): Html => {
  const { problems = [] } = view
  return problems.length === 0
    ? html``
    : html`<div class="problems" role="alert" aria-labelledby="problems">
        <h2 id="problems">${t[headingOf(view)]}</h2>
        <ul>
          ${problems.map(({ field: name, text }) => (name ? html`<li><a href="#${name}">${t[text]}</a></li>` : html`<li>${t[text]}</li>`))}
        </ul>
      </div>`
}

const inputs = {
  name: { type: 'text', autocomplete: 'given-name' },
  email: { type: 'email', autocomplete: 'username' },
  password: { type: 'password', autocomplete: 'current-password' },
  factor: { type: 'text', autocomplete: 'one-time-code' },
} as const

function field(view: View, { fields, chooses }: Form, name: FieldName, label: string): Html {
  const { problems = [], flow } = view
  const problem = problems.some((item) => item.field === name)
  const isChosen = name === 'password' && chooses === true
  const described = [isChosen && `${name}-hint`, problem && 'problems'].filter(Boolean).join(' ')
  const { type, autocomplete } = inputs[name]
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${isChosen && html`<p class="hint" id="${name}-hint">${texts[flow.language].passwordHint}</p>`}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${((name === 'name' || name === 'email') && view[name]) || ''}"
      autocomplete="${isChosen ? 'new-password' : autocomplete}"
      required
      ${name === 'factor' && html` autocapitalize="characters" spellcheck="false"`}
      ${name === 'password' && html` minlength="${String(passwordMin)}" maxlength="${String(passwordMax)}"`}
      ${described !== '' && html` aria-describedby="${described}"`}${problem && html` aria-invalid="true"`}
      ${name === fields[0] && problems.length === 0 && html` autofocus`}
    />
  </div>`
}

/** Choice of how the server is used, in the order of the page. */
const uses = (chosen: BillingMode, t: Texts): Html =>
  html`<fieldset class="uses">
    <legend>${t.use}</legend>
    ${(['off', 'plans'] as const).map(
      (mode) =>
        html`<label
          ><input type="radio" name="billing" value="${mode}" ${mode === chosen && html` checked`} /><span
            >${t[mode === 'off' ? 'useOff' : 'usePlans']}<small
              >${t[mode === 'off' ? 'useOffHint' : 'usePlansHint']}</small
            ></span
          ></label
        >`,
    )}
    <p class="hint">${t.useLater}</p>
  </fieldset>`

const queryOf = (flow: Flow): string =>
  new URLSearchParams(Object.fromEntries(Object.entries(flow).filter(([, value]) => value !== ''))).toString()
