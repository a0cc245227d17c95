// Encoders other than ffmpeg, where they are installed: GStreamer, and OBS on a screen of Xvfb.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { end } from './programs.ts'
import { startScreen } from './screen.ts'

const answers = (program: string, arg: string): boolean => spawnSync(program, [arg], { stdio: 'ignore' }).status === 0
const hasElement = (name: string): boolean =>
  spawnSync('gst-inspect-1.0', ['--exists', name], { stdio: 'ignore' }).status === 0

export const hasGstreamer: boolean = ['x264enc', 'avenc_aac', 'rtmp2sink', 'srtsink'].every(hasElement)
export const hasObs: boolean = answers('obs', '--version') && spawnSync('Xvfb', ['-help']).error === undefined

/** A running encoder. */
export interface OtherEncoder {
  kill(): Promise<void>
}

const running = (...programs: readonly ChildProcess[]): OtherEncoder => ({
  async kill() {
    for (const one of programs) await end(one, 'SIGKILL')
  },
})

/** Publishes a test picture and a tone by GStreamer. @param url of RTMP or SRT */
export function publishByGstreamer(url: string): OtherEncoder {
  const [mux, sink] = url.startsWith('srt:')
    ? ['mpegtsmux name=m alignment=7', ['srtsink', `uri=${url}`]]
    : // Without a latency it moves times of sound.
      ['flvmux name=m streamable=true latency=300000000', ['rtmp2sink', `location=${url}`]]
  const picture = 'videotestsrc is-live=true ! video/x-raw,width=320,height=180,framerate=30/1 ! queue ! x264enc'
  const codec = 'tune=zerolatency speed-preset=ultrafast key-int-max=30 bitrate=600 ! h264parse ! queue ! m.'
  const sound = 'audiotestsrc is-live=true ! queue ! audioconvert ! audioresample ! avenc_aac ! aacparse ! queue ! m.'
  const args = [...`${mux} !`.split(' '), ...sink, ...`${picture} ${codec} ${sound}`.split(' ')]
  return running(spawn('gst-launch-1.0', ['-q', ...args], { stdio: 'ignore' }))
}

/** A profile and a scene of OBS 29. */
const profileOf = `[General]
Name=Test
[Output]
Mode=Simple
[SimpleOutput]
VBitrate=800
ABitrate=128
StreamEncoder=x264
Preset=ultrafast
[Video]
BaseCX=640
BaseCY=360
OutputCX=320
OutputCY=180
FPSCommon=30
`
const globalOf = `[General]
FirstRun=true
LastVersion=486539266
EnableAutoUpdates=false
[Basic]
Profile=Test
ProfileDir=Test
SceneCollection=Test
SceneCollectionFile=Test
`
const red = 0xff0000ff
const scene = {
  name: 'Test',
  current_scene: 'Scene',
  current_program_scene: 'Scene',
  scene_order: [{ name: 'Scene' }],
  sources: [
    {
      id: 'color_source',
      versioned_id: 'color_source_v3',
      name: 'Red',
      settings: { color: red, width: 640, height: 360 },
    },
    { id: 'scene', versioned_id: 'scene', name: 'Scene', settings: { items: [{ name: 'Red', id: 1, visible: true }] } },
  ],
}

/**
 * Publishes a red picture and silence by OBS.
 * @param home folder for its settings
 * @param server URL of RTMP or SRT without the key
 */
export async function publishByObs(home: string, server: string, key: string): Promise<OtherEncoder> {
  const at = join(home, '.config', 'obs-studio')
  for (const folder of ['profiles/Test', 'scenes']) mkdirSync(join(at, 'basic', folder), { recursive: true })
  writeFileSync(join(at, 'global.ini'), globalOf)
  writeFileSync(join(at, 'basic/profiles/Test/basic.ini'), profileOf)
  const service = { type: 'rtmp_custom', settings: { server, key, use_auth: false } }
  writeFileSync(join(at, 'basic/profiles/Test/service.json'), JSON.stringify(service))
  writeFileSync(join(at, 'basic/scenes/Test.json'), JSON.stringify(scene))
  const screen = await startScreen()
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_RUNTIME_DIR: home,
    DISPLAY: screen.display,
    LIBGL_ALWAYS_SOFTWARE: '1',
  }
  const obs = spawn('obs', ['--startstreaming', '--multi'], { env, stdio: 'ignore' })
  return running(obs, screen.process)
}
