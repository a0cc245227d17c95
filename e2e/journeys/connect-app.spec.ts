// Connecting an app in a browser without JavaScript, by keyboard: sign-in, consent, and the way back to another origin; in each
// language, on a phone and on a wide screen.
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apps } from '#contract/areas/account/apps.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { languages } from '#contract/core/codes.ts'
import { scrollsSideways } from '#e2e/fixtures/accessible.ts'
import { call } from '#server/testing/request.ts'
import { expect, test } from '#e2e/fixtures/test.ts'

test('connects an app without JavaScript, by keyboard', async ({ otherBrowser, service, person, api, watch }) => {
  const app = createServer((_, response) => response.end('Back in the app')).listen(0, '127.0.0.1')
  await new Promise((resolve) => app.once('listening', resolve))
  try {
    watch.allow(/third party: http:\/\/127\.0\.0\.1:\d+\/(?:back\?|favicon)/)
    const back = `http://127.0.0.1:${(app.address() as AddressInfo).port}/back`
    const { client_id } = await api(apps.create, {
      name: 'Deck',
      website: 'https://deck.example.com',
      redirect_uris: [back],
      scopes: ['broadcasts:read'],
      is_public: true,
    })
    const code_verifier = randomBytes(32).toString('base64url')
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const query = {
      client_id,
      response_type: 'code',
      redirect_uri: back,
      code_challenge,
      code_challenge_method: 'S256',
    }
    const page = await otherBrowser({ javaScriptEnabled: false })
    await page.goto(`${service.url}/oauth/authorize?${new URLSearchParams(query).toString()}`)
    await page.getByLabel('E-mail').fill(person.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Connect Deck' }).waitFor()
    await page.getByRole('radio').first().focus()
    for (const key of ['Space', 'Tab']) await page.keyboard.press(key)
    await expect(page.getByRole('button', { name: 'Allow' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByText('Back in the app').waitFor()
    const code = new URL(page.url()).searchParams.get('code') ?? ''
    const answer = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id,
        code,
        code_verifier,
        redirect_uri: back,
      }),
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    const project = { project_id: person.projectId }
    expect(await call(service.url, broadcasts.status, project, access_token)).toBeTruthy()
  } finally {
    app.close()
  }
})

const texts = {
  en: { allow: 'Allow', deny: 'Cancel' },
  ru: { allow: 'Разрешить', deny: 'Отмена' },
  cn: { allow: '允许', deny: '取消' },
}
const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

for (const language of languages)
  test(`asks for consent in ${language} without JavaScript, by keyboard, at 390 and 1440 pixels`, async ({
    otherBrowser,
    service,
    person,
    api,
    watch,
  }) => {
    watch.allow(/third party: https:\/\/deck\.example\.com/, /ERR_NAME_NOT_RESOLVED|chrome-error/)
    const { client_id } = await api(apps.create, {
      name: 'Deck of a name that is long enough to wrap',
      website: 'https://deck.example.com',
      redirect_uris: ['https://deck.example.com/back'],
      scopes: ['broadcasts:read', 'channels:write', 'control'],
      is_public: false,
    })
    const t = texts[language]
    const query = {
      client_id,
      response_type: 'code',
      redirect_uri: 'https://deck.example.com/back',
      ui_locales: language,
    }
    const page = await otherBrowser({ javaScriptEnabled: false })
    for (const size of sizes) {
      await page.setViewportSize(size)
      await page.goto(`${service.url}/oauth/authorize?${new URLSearchParams(query).toString()}`)
      expect(await scrollsSideways(page)).toBe(false)
      await page.locator('input[name=email]').focus()
      await page.keyboard.type(person.email)
      await page.keyboard.press('Tab')
      await page.keyboard.type(person.password)
      await page.keyboard.press('Enter')
      const deny = page.getByRole('button', { name: t.deny, exact: true })
      await expect(deny).toBeVisible()
      expect(await page.locator('html').getAttribute('lang')).toBe(language === 'cn' ? 'zh-CN' : language)
      expect(await scrollsSideways(page)).toBe(false)
      // Link of the website, project, Allow, Deny: nothing else takes the focus.
      const order = [
        page.getByRole('link', { name: 'deck.example.com' }),
        page.getByRole('radio'),
        page.getByRole('button', { name: t.allow, exact: true }),
        deny,
      ]
      for (const element of order) {
        await page.keyboard.press('Tab')
        await expect(element).toBeFocused()
      }
      const refused = page.waitForRequest(/^https:\/\/deck\.example\.com\/back/)
      await page.keyboard.press('Enter')
      expect(new URL((await refused).url()).searchParams.get('error')).toBe('access_denied')
    }
  })
