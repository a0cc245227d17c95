// Every kind of jobs has a name in every language of the dashboard, under Administration, Health.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { backupKindsOf } from '#server/app/jobs/backups.ts'
import { certificateKindsOf } from '#server/app/jobs/certificates.ts'
import { readConfig } from '#server/app/settings.ts'
import { jobKindsOf } from '#server/app/jobs/kinds.ts'
import { systemClock } from '#server/core/clock.ts'

interface Texts {
  readonly [name: string]: string | Texts
}

test.each(['en', 'ru', 'cn'])('names every kind of jobs in %s', (language) => {
  const { jobs } = JSON.parse(readFileSync(`locales/${language}/operator.json`, 'utf8')) as { jobs: Texts }
  const textOf = (kind: string) =>
    kind
      .split('.')
      .reduce<string | Texts | undefined>((at, part) => (typeof at === 'object' ? at[part] : at), jobs['kinds'])
  const all = jobKindsOf({ clock: systemClock, config: { sendsNotifications: true } })
  const config = readConfig({ BACKUPS: 'on', TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' })
  const own = [...backupKindsOf(config), ...certificateKindsOf(config)]
  const kinds = [...[...all, ...own].map(({ kind }) => kind), 'jobs.missing']
  expect(kinds.filter((kind) => typeof textOf(kind) !== 'string')).toEqual([])
})
