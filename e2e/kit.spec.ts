// The kit, `/dev/kit`: each component of `src/ui` in all its states, as pictures, and that the product does not contain it.
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { build, preview } from 'vite'
import { axe } from './fixtures/accessible.ts'
import { expect, test as base } from './fixtures/test.ts'

/** Address and built files of the dashboard with the kit. */
interface Kit {
  readonly url: string
  readonly folder: string
}

const test = base.extend<{ readonly kit: Kit; readonly openKit: (size: Size, locale: string) => Promise<Page> }>({
  kit: async ({ shared }, use) => use(await shared('kit', buildKit)),
  openKit: ({ kit, browser }, use) =>
    use(async (viewport, locale) => {
      const page = await browser.newPage({ viewport, locale, serviceWorkers: 'block', reducedMotion: 'reduce' })
      await page.goto(`${kit.url}/dev/kit`)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      for (const chart of await page.getByRole('slider').all()) await expect(chart.locator('canvas')).toBeAttached()
      // Searchable selects load later than the page.
      await expect(page.locator('[data-exhibit=selects] [data-side] input[role=combobox]')).toHaveCount(4)
      await page.evaluate(() => document.fonts.ready)
      // The page behind a dialog shows at its round corners.
      await page.addStyleTag({ content: 'dialog::backdrop { background: #777 !important }' })
      return page
    }),
})

interface Size {
  readonly width: number
  readonly height: number
}

const desktop: Size = { width: 1280, height: 900 }
const phone: Size = { width: 390, height: 844 }

/** One worker builds the kit. */
test.describe.configure({ mode: 'default' })

async function buildKit() {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-kit-'))
  const options = { mode: 'kit', logLevel: 'error', build: { outDir: folder, emptyOutDir: true } } as const
  await build(options)
  const server = await preview({ ...options, preview: { host: '127.0.0.1', port: 0, proxy: {} } })
  const [url = ''] = server.resolvedUrls?.local ?? []
  const close = async (): Promise<void> => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { value: { url: url.replace(/\/$/, ''), folder }, close }
}

/**
 * The dashboard's own fonts draw all letters, so pictures depend on the version of Chromium only. `threshold` is below the
 * difference of the palest backgrounds (green and violet in the light theme: 0.03); a moved edge moves a whole line of
 * pixels. `maxDiffPixels` admits single ones, where a curve ends.
 */
const exact = { threshold: 0.02, maxDiffPixels: 12, animations: 'disabled' } as const

// Chinese letters come from the fonts of the machine: their pictures would differ between machines.
for (const [name, size, locale] of [
  ['en', desktop, 'en-GB'],
  ['ru', desktop, 'ru-RU'],
  ['phone', phone, 'en-GB'],
] as const)
  test(`looks as approved: ${name}`, async ({ openKit }) => {
    const page = await openKit(size, locale)
    for (const exhibit of await page.locator('[data-exhibit]').all())
      await expect.soft(exhibit).toHaveScreenshot(`${await exhibit.getAttribute('data-exhibit')}-${name}.png`, exact)
    await page.close()
  })

test('looks as approved: what opens', async ({ openKit }) => {
  const page = await openKit(desktop, 'en-GB')
  for (const theme of ['light', 'dark'] as const)
    await opened(page, theme, (what, part) => expect.soft(part).toHaveScreenshot(`${what}-${theme}.png`, exact))
  await page.close()
})

/** Opens each dialog, the menu and the list of a searchable select, one after the other. */
async function opened(
  page: Page,
  theme: 'light' | 'dark',
  see: (what: string, part: ReturnType<Page['locator']>) => Promise<void>,
): Promise<void> {
  const side = (exhibit: string) => page.locator(`[data-exhibit=${exhibit}] [data-side=${theme}]`)
  for (const button of await side('dialogs').locator('[data-opens]').all()) {
    const what = await button.getAttribute('data-opens')
    await button.click()
    await see(`dialog-${what}`, page.getByRole('dialog'))
    await page.keyboard.press('Escape')
  }
  await side('buttons').locator('button[popovertarget]').click()
  await see('menu', side('buttons').locator('[popover]'))
  await page.keyboard.press('Escape')
  const select = side('selects').locator('input[role=combobox]').first()
  // The list is placed on whole pixels of the window: without this, its edge depends on how far the page was scrolled.
  await select.evaluate((input) => scrollTo(0, Math.round(scrollY + input.getBoundingClientRect().top) - 200))
  await select.click()
  await page.keyboard.press('ArrowDown')
  await see('list', page.getByRole('listbox'))
  await page.keyboard.press('Escape')
}

test('fits and is accessible in each language', async ({ openKit }) => {
  test.slow()
  for (const locale of ['en-GB', 'ru-RU', 'zh-CN'])
    for (const size of [desktop, phone]) {
      const page = await openKit(size, locale)
      expect.soft(await page.evaluate(cutOff), `${locale} at ${size.width}`).toEqual([])
      // Both sides have the same landmarks and headings, as no page has.
      const known = /^(landmark-|heading-order|page-has-heading-one|region|empty-heading)/
      expect.soft((await axe(page)).filter((line) => !known.test(line))).toEqual([])
      await page.close()
    }
})

/** Runs in the page: parts of exhibits that are wider than their side. */
function cutOff(): string[] {
  return [...document.querySelectorAll('[data-side]')].flatMap((side) => {
    const { right } = side.getBoundingClientRect()
    return [...side.querySelectorAll('*')]
      .filter((part) => part.checkVisibility() && !part.closest('.visually-hidden, [popover], svg, .uplot'))
      .filter((part) => part.getBoundingClientRect().right > right + 1)
      .map((part) => part.outerHTML.slice(0, 120))
  })
}

test('has every component of src/ui, in every state of its style sheet', async ({ openKit }) => {
  const exhibits = globSync('src/app/dev/*.tsx')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const components = globSync('src/ui/**/*.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^export function (?<name>[A-Z]\w+)/gm)].map(
      ({ groups }) => groups?.['name'],
    ),
  )
  expect(components.length).toBeGreaterThan(30)
  expect(
    components.filter((name) => !new RegExp(`<${name}[\\s>]`).test(exhibits)),
    'components without an exhibit',
  ).toEqual([])

  const page = await openKit(desktop, 'en-GB')
  const sheets = globSync('src/ui/**/*.module.css').flatMap((file) =>
    selectorsOf(readFileSync(file, 'utf8')).map((selector) => ({ file, selector })),
  )
  expect(sheets.length).toBeGreaterThan(150)
  let unseen = await unmatched(page, sheets)
  await page.getByRole('slider').first().hover()
  unseen = await unmatched(page, unseen)
  await page.getByRole('button', { name: '+' }).first().click()
  unseen = await unmatched(page, unseen)
  await opened(page, 'light', async () => {
    unseen = await unmatched(page, unseen)
  })
  const search = page.locator('[data-exhibit=selects] [data-side=light] input[role=combobox]').last()
  await search.fill('zzz')
  unseen = await unmatched(page, unseen)
  expect(
    unseen.map(({ file, selector }) => `${file}: ${selector}`),
    'states without an exhibit',
  ).toEqual([])
  await page.close()
})

/** Returns the selectors of a style sheet, without pseudo-elements and without what a pointer or a focus does. */
function selectorsOf(css: string): string[] {
  const rules = css.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/@keyframes[^{]*\{(?:[^{}]*\{[^}]*\})*\s*\}/g, '')
  return [...rules.matchAll(/(?<list>[^{}@;]+)\{/g)].flatMap(({ groups }) => {
    const list = (groups?.['list'] ?? '').trim()
    if (!list.includes('.')) return []
    return list.split(/,(?![^(]*\))/).map((one) =>
      one
        .trim()
        .replaceAll(/:global\((?<name>[^)]*)\)/g, (_, name: string) => `[class~='${name.slice(1)}']`)
        .replaceAll(/:has\(:focus-visible\)|::[\w-]+|:(?:hover|focus-visible|focus-within|focus|active)/g, '')
        .replaceAll(/\.(?<name>[A-Za-z][\w-]*)/g, "[class*='_$<name>_']"),
    )
  })
}

/** Returns the selectors that no element of the page matches. */
async function unmatched<S extends { readonly selector: string }>(page: Page, all: readonly S[]): Promise<S[]> {
  const found = await page.evaluate(
    (selectors) => selectors.map((selector) => document.querySelector(selector) !== null),
    all.map(({ selector }) => selector),
  )
  return all.filter((_, index) => !found[index])
}

test('is no part of the product', async ({ kit, page, goto }) => {
  const holding = (folder: string) =>
    readdirSync(join(folder, 'assets')).filter((file) =>
      /data-exhibit|data-opens/.test(readFileSync(join(folder, 'assets', file), 'utf8')),
    )
  expect(holding(kit.folder), 'files of the build for tests').not.toEqual([])
  expect(holding('dist/dashboard'), 'files of the product').toEqual([])
  await goto('/dev/kit')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
})
