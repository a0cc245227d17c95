// Images of media and the schedule: `SCREENSHOTS=on npm run e2e -- e2e/handbook-`. Not part of the tests.
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { languages } from '#contract/core/codes.ts'
import { imageTest as test, shoot } from '#e2e/fixtures/handbook-images.ts'
import { speak, textOf } from '#e2e/fixtures/language.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { addSomeFilm } from '#server/testing/films.ts'
import { paths } from '#src/lib/paths.ts'

test.skip(!process.env['SCREENSHOTS'], 'only when asked for')
test.use({ viewport: { width: 1100, height: 900 }, colorScheme: 'light', timezoneId: 'Europe/Berlin' })

/** Names of videos. */
const names: Readonly<Record<string, readonly [string, string, string]>> = {
  en: ['Opening', 'Back soon', 'Interview'],
  ru: ['Заставка', 'Скоро вернусь', 'Интервью'],
  cn: ['片头', '马上回来', '访谈'],
}

for (const language of languages) {
  test(`media in ${language}`, async ({ page, person, login, goto, api, service }) => {
    const { projectId } = person
    const { services } = service.app
    const [opening = '', soon = '', talk = ''] = names[language] ?? []
    const first = await addSomeFilm(services, projectId, { name: opening, duration_ms: 42_000, bytes: 31_000_000 })
    await addSomeFilm(services, projectId, { name: soon, duration_ms: 90_000, bytes: 58_000_000 })
    await addSomeFilm(services, projectId, { name: talk, state: 'preparing', done: 40, bytes: 812_000_000 })
    await login()
    await speak(page, language)
    await goto(paths.media(projectId))
    await expect(page.getByText(soon).first()).toBeVisible()
    await page.setViewportSize({ width: 1100, height: 900 })
    await shoot(page, language, 'media', { x: 232, y: 56, width: 868, height: 820 })

    await api(scheduler.create, {
      project_id: projectId,
      channel_ids: [],
      start_at: Date.parse('2027-01-04T19:00:00Z') / 1000,
      zone: 'Europe/Berlin',
      video: { ids: [first.id] },
      repeat: { every: 'week', days: [1, 4] },
    })
    await page.setViewportSize({ width: 1100, height: 1500 })
    await goto(paths.broadcasts(projectId, 'schedule'))
    const edit = textOf(language, 'schedule', 'edit').replace('{{name}}', opening)
    await page.getByRole('button', { name: edit, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.locator('li').nth(5)).toBeVisible()
    await shoot(page, language, 'schedule', dialog)
  })
}
