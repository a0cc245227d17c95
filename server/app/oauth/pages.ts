// Pages of the authorization server: consent, device, failure. They work without JavaScript.
import type { IncomingMessage } from 'node:http'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Scope, ScopeGroup } from '#contract/core/scopes.ts'
import type { Language } from '#contract/core/wire.ts'
import cn from '#locales/cn/service/apps.json' with { type: 'json' }
import en from '#locales/en/service/apps.json' with { type: 'json' }
import ru from '#locales/ru/service/apps.json' with { type: 'json' }
import { fill } from '#server/core/locale.ts'
import { type Html, html } from '#server/app/http/html.ts'
import { languageOf } from '#server/app/sign-in/forms.ts'
import { frame } from '#server/app/sign-in/page.ts'

const texts: Readonly<Record<Language, typeof en>> = { en, ru, cn }

/** Pages that the library asks for. */
export interface Pages {
  readonly device: Pick<
    NonNullable<NonNullable<Configuration['features']>['deviceFlow']>,
    'userCodeInputSource' | 'userCodeConfirmSource' | 'successSource'
  >
  readonly failure: NonNullable<Configuration['renderError']>
}

/** Returns the language of a request: its own, else that of the browser. */
export const languageIn = (wanted: unknown, request: Pick<IncomingMessage, 'headers'>): Language => {
  const first = typeof wanted === 'string' ? wanted.slice(0, 2) : ''
  const language = first === 'zh' || first === 'cn' ? 'cn' : first === 'ru' || first === 'en' ? first : undefined
  return languageOf({ language }, request as never)
}

/** Returns the headers of a page. @param target origin or scheme of the app, to which its form may lead */
export const headersOf = (target = '') => ({
  'content-security-policy':
    `default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${target}`.trim(),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
})

export interface Consent {
  readonly language: Language
  /** `picture`: name of its file. */
  readonly app: { readonly name: string; readonly website: string; readonly picture: string | null }
  /** Host to which the browser returns; null: a device, to which it does not. */
  readonly host: string | null
  readonly scopes: readonly Scope[]
  readonly seesIdentity: boolean
  readonly staysConnected: boolean
  readonly projects: readonly { readonly id: number; readonly name: string }[]
  readonly csrf: string
}

/** Returns the consent page. */
export function consentPage(view: Consent): string {
  const t = texts[view.language]
  const { app, host, scopes, projects } = view
  const has = (scope: Scope) => scopes.includes(scope)
  const groups = Object.keys(t.group) as (ScopeGroup & keyof typeof t.group)[]
  const rights = [
    ...(has('control') ? [t.control] : []),
    ...groups
      .filter((group) => has(`${group}:read`) || has(`${group}:write`))
      .map((group) =>
        has(`${group}:write`) ? fill(t.write, { group: t.change[group] }) : fill(t.read, { group: t.group[group] }),
      ),
    ...(view.seesIdentity ? [t.identity] : []),
    ...(view.staysConnected ? [t.offline] : []),
  ]
  const body = html`${app.picture !== null && html`<img class="app" src="/files/${app.picture}" alt="" width="64" height="64" />`}
    <p>${fill(t.asks, { app: app.name })}</p>
    <p class="hint">${t.site} <a href="${app.website}" rel="noreferrer">${new URL(app.website).host}</a></p>
    <form method="post">
      <input type="hidden" name="csrf" value="${view.csrf}" />
      <h2>${t.rights}</h2>
      <ul>
        ${rights.map((right) => html`<li>${right}</li>`)}
      </ul>
      ${projects.length === 0 ? html`<p class="problems" role="alert">${t.noProject}</p>` : choice(projects, t.project)}
      ${host !== null && html`<p class="hint">${fill(t.back, { host })}</p>`}
      <p class="hint">${t.later}</p>
      ${projects.length > 0 && html`<button name="answer" value="allow">${t.allow}</button>`}
      <button class="second" name="answer" value="deny" formnovalidate>${t.deny}</button>
    </form>`
  return frame({ language: view.language, title: fill(t.title, { app: app.name }), body })
}

const choice = (projects: Consent['projects'], label: string): Html =>
  html`<fieldset class="uses">
    <legend>${label}</legend>
    ${projects.map(
      ({ id, name }) =>
        html`<label
          ><input
            type="radio"
            name="project_id"
            value="${String(id)}"
            required${projects.length === 1 && html` checked`}
          /><span>${name}</span></label
        >`,
    )}
  </fieldset>`

/** Returns a page with one message. */
export const messagePage = (
  language: Language,
  title: 'failedTitle' | 'deviceTitle',
  text: 'expired' | 'failed' | 'deviceDone' | 'deviceStopped',
  why = '',
): string =>
  frame({
    language,
    title: texts[language][title],
    body: html`<p role="alert">${fill(texts[language][text], { why })}</p>`,
  })

/** The pages of the library. Their forms are ours: those of the library have scripts in attributes. */
export const pages: Pages = {
  device: {
    userCodeInputSource: async (ctx, form, _, error) => {
      const { language, t } = about(ctx)
      if (error?.name === 'AbortedError') return show(ctx, messagePage(language, 'deviceTitle', 'deviceStopped'))
      const wrong = error !== undefined && html`<p class="problems" role="alert">${t.deviceWrong}</p>`
      devicePage(
        ctx,
        form,
        html`${wrong}
          <div class="field">
            <label for="code">${t.deviceHint}</label>
            <input
              id="code"
              name="user_code"
              value="${textIn(ctx.query['preset'])}"
              required
              autofocus
              autocomplete="off"
              autocapitalize="characters"
              spellcheck="false"
            />
          </div>
          <button>${t.deviceGo}</button>`,
      )
    },
    userCodeConfirmSource: async (ctx, form, client, _, userCode) => {
      const { t } = about(ctx)
      devicePage(
        ctx,
        form,
        html`<p>${fill(t.deviceConfirm, { app: client.clientName ?? '' })}</p>
          <p><strong>${userCode}</strong></p>
          <input type="hidden" name="user_code" value="${userCode}" />
          <input type="hidden" name="confirm" value="yes" />
          <button>${t.deviceGo}</button>
          <button class="second" name="abort" value="yes">${t.deny}</button>`,
      )
    },
    successSource: async (ctx) => show(ctx, messagePage(about(ctx).language, 'deviceTitle', 'deviceDone')),
  },
  failure: async (ctx, { error, error_description: more }) => {
    const isOver = error === 'invalid_request' && /expired|not found/.test(more ?? '')
    show(ctx, messagePage(about(ctx).language, 'failedTitle', isOver ? 'expired' : 'failed', more ?? error))
  },
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

function about(ctx: KoaContextWithOIDC) {
  const language = languageIn(ctx.oidc?.params?.ui_locales, ctx.req)
  return { language, t: texts[language] }
}

/** @param form HTML of the library, which has the token against forged requests */
function devicePage(ctx: KoaContextWithOIDC, form: string, content: Html): void {
  const { language, t } = about(ctx)
  const xsrf = /name="xsrf" value="(?<xsrf>[\w-]+)"/.exec(form)?.groups?.['xsrf'] ?? ''
  const body = html`<form method="post" action="/oauth/device">
    <input type="hidden" name="xsrf" value="${xsrf}" />
    ${content}
  </form>`
  show(ctx, frame({ language, title: t.deviceTitle, body }))
}

function show(ctx: KoaContextWithOIDC, page: string): void {
  ctx.set(headersOf())
  ctx.type = 'html'
  ctx.body = page
}
