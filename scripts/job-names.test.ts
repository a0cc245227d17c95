// Every kind of jobs has a name in every language of the dashboard, under Administration, Health.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { backupKindsOf } from '#server/app/jobs/backups.ts'
import { certificateKindsOf } from '#server/app/jobs/certificates.ts'
import { readConfig } from '#server/app/settings.ts'
import { archiveKindsOf } from '#server/app/jobs/archive.ts'
import { mediaKindsOf } from '#server/app/jobs/media.ts'
import { jobKindsOf } from '#server/app/jobs/kinds.ts'
import { systemClock } from '#server/core/clock.ts'
import { createObjectStore } from '#server/core/object-store.ts'
import { createLocalStore } from '#server/storage/local.ts'

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
  const never = () => {
    throw new Error('No job runs')
  }
  const bucket = createObjectStore({
    endpoint: 'http://127.0.0.1/b',
    region: 'x',
    accessKeyId: 'x',
    secretAccessKey: 'x',
  })
  const library = { store: createLocalStore(''), folder: { check: never, room: never } }
  const own = [
    ...backupKindsOf(config),
    ...certificateKindsOf(config),
    ...archiveKindsOf(bucket, never),
    ...mediaKindsOf(library),
  ]
  const kinds = [...[...all, ...own].map(({ kind }) => kind), 'jobs.missing']
  expect(kinds.filter((kind) => typeof textOf(kind) !== 'string')).toEqual([])
})
