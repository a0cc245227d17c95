// A relay with films for tests with real programs.
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createFilmShelf } from '#server/relay/library/films.ts'
import { openPrograms } from '#server/relay/programs/programs.ts'
import { createSlateShelf } from '#server/relay/sources/slates.ts'
import { mediaService } from './films.ts'
import { recorder } from './recorder.ts'
import { rig } from './rig.ts'

/** Starts a relay with films, nginx-rtmp as its only channel, and a folder of masters. They end with the test. */
export async function filmStage(silentMs = 1_000) {
  const { dir, nginx, target } = await recorder()
  const { service, close } = await mediaService(dir)
  onTestFinished(close)
  const programs = openPrograms('ffmpeg')
  onTestFinished(() => programs.close())
  const films = createFilmShelf({ folder: join(dir, 'films'), service, programs })
  onTestFinished(() => films.close())
  const slates = createSlateShelf({ service, programs, films })
  const made = await rig([target], { graceMs: 60_000, silentMs, slates })
  onTestFinished(() => made.close())
  return { dir, nginx, films, target, made }
}
