// Screenshots of the README: `SCREENSHOTS=on npm run e2e -- screenshots`. Not part of the tests.
import { restream } from '#contract/areas/tariffs/restream.ts'
import { languages } from '#contract/core/codes.ts'
import { expect, test } from '#e2e/fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

const themes = { en: 'dark', ru: 'light', cn: 'dark' } as const

test.skip(!process.env['SCREENSHOTS'], 'only when asked for')
test.use({ viewport: { width: 1440, height: 1400 } })

for (const language of languages)
  test(`tariffs in ${language}`, async ({ page, person, login, goto, service, api }) => {
    const buy = (plan_restream_id: number) =>
      api(restream.buy, { project_id: person.projectId, plan_restream_id, period: 'month' })
    await buy(2)
    await buy(3)
    await buy(2)
    service.clock.advance(18 * 86_400_000)
    await page.clock.setSystemTime(service.clock.now())
    await login()
    await page.emulateMedia({ colorScheme: themes[language] })
    await page.evaluate((chosen) => localStorage.setItem('relaydeck.language', chosen), language)
    await goto(`${paths.tariffs(person.projectId)}?plan=4`)
    // The quote is the last part to arrive.
    await expect(page.getByText(/20[.,]24/).first()).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: `docs/screenshots/tariffs-${language}.png` })
  })
