// Lighthouse with its default settings (mobile, simulated slow network), on the real service and build. The median of
// five runs, because single runs vary on a shared machine.
import lighthouse from 'lighthouse'
import { median, type Row } from './table.ts'

const runs = 5
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const goals = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 } as const
const timings = [
  { audit: 'largest-contentful-paint', name: 'LCP', max: 1500, unit: ' ms' },
  { audit: 'total-blocking-time', name: 'TBT', max: 200, unit: ' ms' },
  { audit: 'cumulative-layout-shift', name: 'CLS', max: 0.001, unit: '' },
] as const

/** Measures one page in the browser on the debugging port, with its signed-in profile. */
export async function score(name: string, url: string, port: number): Promise<Row[]> {
  const results: Result[] = []
  for (let run = 0; run < runs; run++) {
    const result = await lighthouse(url, {
      port,
      disableStorageReset: true,
      logLevel: 'error',
      onlyCategories: [...categories],
    })
    if (!result || result.lhr.runtimeError)
      throw new Error(result?.lhr.runtimeError?.message ?? 'Lighthouse returned no result')
    if (result.lhr.finalDisplayedUrl !== url)
      throw new Error(`Lighthouse was redirected from ${url} to ${result.lhr.finalDisplayedUrl}`)
    results.push(result.lhr)
  }
  const scores = categories.map((category) => {
    const value = median(results.map((lhr) => Math.round((lhr.categories[category]?.score ?? 0) * 100)))
    return { category, value, goal: goals[category] }
  })
  for (const { category } of scores.filter(({ value, goal }) => value < goal)) complain(results, category)
  return [
    {
      what: `${name}: Lighthouse mobile, performance / accessibility / best practices / SEO`,
      value: scores.map(({ value }) => value).join(' / '),
      goal: scores.map(({ goal }) => `≥ ${goal}`).join(' / '),
      pass: scores.every(({ value, goal }) => value >= goal),
    },
    ...timings.map(({ audit, name: short, max, unit }) => {
      const value = median(results.map((lhr) => lhr.audits[audit]?.numericValue ?? Infinity))
      return {
        what: `${name}: ${short}`,
        value: unit ? `${Math.round(value)}${unit}` : value.toFixed(3),
        goal: unit ? `≤ ${max}${unit}` : '0',
        pass: value <= max,
      }
    }),
  ]
}

type Result = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']

/** Lists the audits that reduced the score of a category. */
function complain(results: readonly Result[], category: string): void {
  const lhr = results[0]
  const refs = lhr?.categories[category]?.auditRefs ?? []
  const lost = refs.filter(({ id, weight }) => weight > 0 && (lhr?.audits[id]?.score ?? 1) < 0.9)
  console.log(
    `  ${category}: ${lost.map(({ id }) => `${id} (${lhr?.audits[id]?.displayValue ?? lhr?.audits[id]?.title})`).join(', ')}`,
  )
}
