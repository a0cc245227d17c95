// Settings of upgrades.
import * as z from 'zod/mini'
import { env, settings } from '#server/core/variables.ts'

export const upgradeSettings = settings({
  releasesUrl: env(
    'RELEASES_URL',
    z.string().check(z.regex(/^((https|file):\/\/\S+)?$/)),
    '',
    'Folder with releases that `relaydeck upgrade` reads: `https://…` or `file:///…`, a copy of what `npm run release` writes. Empty: name a file. Nothing looks there by itself',
  ),
})
