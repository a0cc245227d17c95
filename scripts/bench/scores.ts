// Lighthouse scores of every page of the navigation, as an operator sees them.
import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import type { Person } from '#e2e/fixtures/person.ts'
import { paths } from '#src/lib/paths.ts'
import type { Browser } from './browser.ts'
import { score } from './lighthouse.ts'
import type { Service } from './service.ts'
import type { Row } from './table.ts'

const pagesOf = ({ projectId: id }: Person): readonly (readonly [name: string, path: string])[] => [
  ['home page', paths.home(id)],
  ['channels page', paths.channels(id)],
  ['stream setup page', paths.ingest(id)],
  ['broadcasts page', paths.broadcasts(id)],
  ['chat page', paths.chat(id)],
  ['analytics page', paths.analytics(id)],
  ['tariff page', paths.tariffs(id)],
  ['billing page', paths.billing(id)],
  ['project page', paths.project(id)],
  ['notifications page', paths.notifications(id)],
  ['account page', paths.account()],
  ['help page', paths.help()],
  ['operator overview', paths.operator()],
  ['customer page', `${paths.operator('projects')}/${id}`],
]

/** Makes the person an operator, and scores the sign-in page and every page of the navigation. */
export async function measureScores(
  signedOut: Browser,
  signedIn: Browser,
  { url, data }: Service,
  person: Person,
): Promise<Row[]> {
  execFileSync('npm', ['start', '--silent', '--', 'operator', person.email], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATA_DIR: data },
  })
  const rows = await score('sign-in page', url + paths.signIn(), signedOut.port)
  for (const [name, path] of pagesOf(person)) {
    // Beside each page, because other programs of the machine change the figures.
    console.log(`  ${name}, load ${loadavg()[0]?.toFixed(1)}`)
    rows.push(...(await score(name, url + path, signedIn.port)))
  }
  return rows
}
