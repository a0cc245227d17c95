// What happens to the broadcast of the test. Each step leaves a main encoder on air, and all channels live.
import { setTimeout as wait } from 'node:timers/promises'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { poll } from '#scripts/house/poll.ts'
import { startBrowser } from './from-browser.ts'
import { type Scene, soon, started } from './scene.ts'

/** After a minute the supervisor restarts a killed service without a wait. */
const killsEveryMs = 75_000
let killedAt = Number.NEGATIVE_INFINITY

async function cut(scene: Scene): Promise<void> {
  const { line, recordings } = scene.channels
  await scene.truth.change('the platform closes a connection', started, {}, async () => {
    const before = recordings('cut').length
    line.cut(true)
    line.cut(false)
    scene.cuts++
    await poll('a publication after the cut', () => recordings('cut').length > before)
  })
}

async function down(scene: Scene): Promise<void> {
  const { line, ids } = scene.channels
  await scene.truth.change('a platform is down', soon, { channels: { cut: 'away' } }, () => line.cut(true))
  await wait(scene.choices.between(2_000, 8_000))
  scene.cuts++
  await scene.truth.change('the platform is back', started, { channels: { cut: 'live' } }, () => {
    line.cut(false)
    const channel = { ...scene.broadcast, channel_id: ids.cut }
    return scene.insist('retry', () => scene.product.api(broadcasts.retry, channel))
  })
}

async function offAndOn(scene: Scene): Promise<void> {
  const channel = { ...scene.project, channel_id: scene.channels.ids.cut }
  const set = (status: boolean) =>
    scene.insist('set-status', () => scene.product.api(channels.setStatus, { ...channel, status }))
  await scene.truth.change('a channel is switched off', soon, { channels: { cut: 'off' } }, () => set(false))
  scene.cuts++
  await scene.truth.change('a channel is switched on', started, { channels: { cut: 'live' } }, () => set(true))
}

async function killService(scene: Scene): Promise<void> {
  if (performance.now() - killedAt < killsEveryMs) return
  killedAt = performance.now()
  await scene.truth.change('the service is killed', started, {}, async () => {
    scene.product.killService()
    await wait(1_000)
  })
}

async function restartService(scene: Scene): Promise<void> {
  await scene.truth.change('the service is restarted', started, {}, () => scene.product.restartService())
}

async function killed(scene: Scene): Promise<void> {
  await scene.killMain()
  await scene.hold(2, 8)
  await scene.startMain(scene.anyKind())
  await scene.hold(2, 8)
}

async function stalled(scene: Scene): Promise<void> {
  const { kind, pause } = scene.main
  await scene.truth.change(`the main encoder (${kind}) is stopped`, soon, scene.lost(), () => pause(true))
  await wait(scene.choices.between(0, 1_500))
  await scene.truth.change('it continues', started, scene.shows(kind), () => pause(false))
  await scene.hold(2, 5)
}

async function backedUp(scene: Scene): Promise<void> {
  await scene.startBackup(scene.anyKind())
  await scene.hold(1, 4)
  await scene.killMainBesideBackup()
  await scene.hold(2, 5)
  await scene.calm()
  await scene.startMainBesideBackup(scene.anyKind())
  await scene.hold(1, 4)
  await scene.killBackup()
}

async function paused(scene: Scene): Promise<void> {
  const { api } = scene.product
  await scene.truth.change('a pause', soon, { status: 'pause', fill: 'picture' }, () =>
    scene.insist('pause', () => api(broadcasts.pause, scene.broadcast)),
  )
  await scene.hold(2, 6)
  await scene.truth.change('the end of the pause', soon, { status: 'active', fill: null }, () =>
    scene.insist('play', () => api(broadcasts.play, scene.broadcast)),
  )
  await scene.hold(1, 4)
}

/** The portrait needs an encoder that has it. */
async function withTracks(scene: Scene): Promise<void> {
  if (scene.main.kind === 'tracks') return
  await scene.killMain()
  await scene.startMain('tracks')
}

async function trackLost(scene: Scene): Promise<void> {
  await withTracks(scene)
  scene.main.togglePortrait()
  await wait(scene.choices.between(2_000, 6_000))
  scene.main.togglePortrait()
  await wait(2_000)
}

async function trackLostForLong(scene: Scene): Promise<void> {
  await withTracks(scene)
  const { togglePortrait } = scene.main
  await scene.truth.change('the portrait track ends', started, { channels: { portrait: 'track' } }, togglePortrait)
  await scene.hold(1, 3)
  await scene.truth.change('the portrait track begins', started, { channels: { portrait: 'live' } }, togglePortrait)
  await scene.hold(1, 3)
}

async function otherPicture(scene: Scene): Promise<void> {
  const media_id = scene.choices.pick([0, ...scene.pictures])
  const chosen = { ...scene.project, media_id, type: 'lost' } as const
  await scene.insist('set', () => scene.product.api(mediaFiles.set, chosen))
  scene.fill = media_id === 0 ? 'frame' : 'picture'
  await killed(scene)
}

async function fromBrowser(scene: Scene): Promise<void> {
  await scene.killMain()
  const page = await startBrowser(scene.product, scene.streams.plain)
  try {
    await scene.truth.change('a browser is live', started, scene.shows('browser'), page.begin)
    await wait(scene.choices.between(3_000, 8_000))
  } finally {
    await scene.truth.change('the page is closed', soon, scene.lost(), page.close)
  }
  await scene.startMain(scene.anyKind())
}

const onChannels = { cut, down, offAndOn }
const onService = { killService, restartService }
const onEncoders = { killed, stalled, backedUp, paused, trackLost, trackLostForLong, otherPicture, fromBrowser }
type Step = (scene: Scene) => Promise<void>

/** Small steps that may happen during others. */
export const asides: readonly Step[] = Object.entries({ cut, offAndOn, killService }).map(
  ([name, step]) =>
    async (scene) => {
      scene.count(`${name} during another`)
      await step(scene)
    },
)

/** Runs each step once in a random order. @param isOver called between steps */
export async function runRound(scene: Scene, isOver: () => boolean): Promise<void> {
  const left = Object.entries<Step>({ ...onChannels, ...onService, ...onEncoders })
  while (left.length > 0 && !isOver()) {
    const [next] = left.splice(Math.floor(scene.choices.between(0, left.length)), 1)
    if (!next) return
    const [name, step] = next
    scene.count(name)
    await step(scene)
    await scene.hold(0, 3)
  }
}
