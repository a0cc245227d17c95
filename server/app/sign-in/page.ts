// The sign-in and sign-up pages: plain HTML that works without any script, in the colours of the dashboard.
import type { Language } from '#contract/core/wire.ts'
import { passwordMax, passwordMin } from '#contract/entities/account.ts'
import { type Html, html } from './html.ts'
import { htmlLang, type Texts, texts } from './texts.ts'

/** What travels through the forms: where sign-in began, and where it ends. */
export interface Flow {
  readonly redirect: string
  readonly state: string
  readonly app: string
  readonly language: Language
  /** Of an invitation or of the owner's link. */
  readonly code: string
}

/** What a page shows. */
export interface View {
  readonly kind: 'sign-in' | 'sign-up'
  readonly flow: Flow
  readonly csrf: string
  /** What was typed before; never the password. */
  readonly email?: string
  readonly name?: string
  readonly problems?: readonly { readonly field?: FieldName; readonly text: keyof Texts }[]
  /** The first account of the service. */
  readonly owner?: boolean
  /** Where else somebody can sign in. */
  readonly providers?: readonly (keyof typeof names)[]
  /** Whether the other page is of any use. */
  readonly other: boolean
}

type FieldName = 'name' | 'email' | 'password'

/** A whole page. */
export function page(view: View): string {
  const { kind, flow } = view
  const t = texts[flow.language]
  const title = kind === 'sign-in' ? t.signIn : t.signUp
  const broken = (view.problems?.length ?? 0) > 0
  const body = html`${view.owner === true && html`<p class="note">${t.firstOwner}</p>`} ${summary(view, t)}
    <form method="post" action="/auth/local/${kind}" novalidate>
      ${Object.entries({ ...flow, csrf: view.csrf }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      ${kind === 'sign-up' && field(view, 'name', { label: t.name, value: view.name, autocomplete: 'given-name' })}
      ${field(view, 'email', { label: t.email, value: view.email, autocomplete: 'username', type: 'email' })}
      ${kind === 'sign-in' && field(view, 'password', { label: t.password, type: 'password', autocomplete: 'current-password' })}
      ${kind === 'sign-up' && field(view, 'password', { label: t.newPassword, type: 'password', autocomplete: 'new-password', hint: t.passwordHint })}
      <button type="submit">${kind === 'sign-in' ? t.enter : t.signUp}</button>
    </form>
    ${elsewhere(view, t)}
    ${view.other && html`<p class="other"><a href="${otherUrl(view)}">${kind === 'sign-in' ? t.noAccount : t.haveAccount}</a></p>`}`
  return frame({ language: flow.language, title, before: broken ? `${t.problem} · ` : '', body })
}

/** What every page of sign-in stands in. */
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
    <html lang="${htmlLang[language]}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${before}${title} · Relaydeck</title>
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

const names = { google: 'Google', vk: 'VK', 'vk-id': 'VK ID', telegram: 'Telegram' }

/** Ways in that are not ours. Without a state the answer could not be told from somebody else's. */
const elsewhere = ({ flow, providers = [] }: View, t: Texts): Html | false =>
  providers.length > 0 &&
  flow.state !== '' &&
  html`<p class="or" id="or">${t.or}</p>
    <ul class="elsewhere" aria-labelledby="or">
      ${providers.map((name) => html`<li><a href="/auth/local/with/${name}?${queryOf(flow)}">${t.with.replace('%s', names[name])}</a></li>`)}
    </ul>`

/** What went wrong, first on the page and announced, with a way to each field. */
const summary = ({ problems = [] }: View, t: Texts): Html =>
  problems.length === 0
    ? html``
    : html`<div class="problems" role="alert" aria-labelledby="problems">
        <h2 id="problems">${t.problem}</h2>
        <ul>
          ${problems.map(({ field: name, text }) => (name ? html`<li><a href="#${name}">${t[text]}</a></li>` : html`<li>${t[text]}</li>`))}
        </ul>
      </div>`

interface Field {
  readonly label: string
  readonly autocomplete: string
  readonly value?: string | undefined
  readonly type?: 'email' | 'password'
  readonly hint?: string
}

function field(
  { kind, problems = [] }: View,
  name: FieldName,
  { label, autocomplete, value = '', ...rest }: Field,
): Html {
  const problem = problems.some((item) => item.field === name)
  const described = [rest.hint !== undefined && `${name}-hint`, problem && 'problems'].filter(Boolean).join(' ')
  const first = kind === 'sign-in' ? 'email' : 'name'
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${rest.hint !== undefined && html`<p class="hint" id="${name}-hint">${rest.hint}</p>`}
    <input
      id="${name}"
      name="${name}"
      type="${rest.type ?? 'text'}"
      value="${value}"
      autocomplete="${autocomplete}"
      required
      ${name === 'password' && html` minlength="${String(passwordMin)}" maxlength="${String(passwordMax)}"`}
      ${described !== '' && html` aria-describedby="${described}"`}${problem && html` aria-invalid="true"`}
      ${name === first && problems.length === 0 && html` autofocus`}
    />
  </div>`
}

const otherUrl = ({ kind, flow }: View): string =>
  `/auth/local/${kind === 'sign-in' ? 'sign-up' : 'sign-in'}?${queryOf(flow)}`

const queryOf = (flow: Flow): string =>
  new URLSearchParams(Object.fromEntries(Object.entries(flow).filter(([, value]) => value !== ''))).toString()
