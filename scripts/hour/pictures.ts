// Pictures of the project, of one colour each.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Makes a picture. @param color of ffmpeg @returns the file to upload */
export async function makePicture(folder: string, color: string): Promise<File> {
  const file = join(folder, `${color}.png`)
  await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', `color=${color}:size=640x360`, '-frames:v', '1', file])
  return new File([readFileSync(file)], `${color}.png`, { type: 'image/png' })
}
