// Transcoders on a graphics card, by a double of ffmpeg: it lists encoders of cards, and encodes their streams with x264, refuses, or dies.
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DesiredTranscoder } from '#contract/relay/desired-state.ts'
import { openPrograms, type Programs } from './programs/programs.ts'
import { type FaultyPlatform, faultyPlatform } from './testing/faulty-platform.ts'
import { type Encoder, folder, hasPrograms, publish, sample } from './testing/programs.ts'
import { project, rig, type Rig, targetOf, until } from './testing/rig.ts'
import { slots } from './transcoders/slots.ts'

const small: DesiredTranscoder = {
  id: 5,
  codec: 'h264',
  preset: 'ultrafast',
  width: 160,
  height: 120,
  fps: 15,
  videoKbps: 500,
  audioKbps: null,
  rotation: null,
  bFrames: null,
}

const dir = folder()
let source: string
let programs: Programs | undefined
let platform: FaultyPlatform
let made: Rig | undefined
let encoder: Encoder | undefined

/** Makes a program that is ffmpeg with the encoders of two cards. @param onCard shell commands in place of a stream on the card */
function withCards(name: string, onCard: string): string {
  const file = join(dir, name)
  writeFileSync(
    file,
    `#!/bin/bash
case "$*" in
  *-encoders*) ffmpeg "$@"; echo ' V..... h264_nvenc'; echo ' V..... h264_qsv'; exit ;;
  *h264_qsv*) exit 1 ;;
  *color=black*h264_nvenc*) exit 0 ;;
  *h264_nvenc*) ${onCard} ;;
esac
args=()
while [ $# -gt 0 ]; do
  case "$1" in
    h264_nvenc) args+=(libx264) ;;
    -rc|-no-scenecut) shift ;;
    p4) args+=(ultrafast) ;;
    ll) args+=(zerolatency) ;;
    *) args+=("$1") ;;
  esac
  shift
done
exec $limit ffmpeg "\${args[@]}"
`,
  )
  chmodSync(file, 0o755)
  return file
}

/** Puts an encoder on air whose stream is transcoded. @param cardSlots slots of the card */
async function onAir(desired: DesiredTranscoder, cardSlots = 1): Promise<void> {
  if (!programs) throw new Error('There are no programs')
  made = await rig([], {
    graceMs: 200,
    transcoding: { programs, slots: slots(1), cardSlots: slots(cardSlots) },
    admit: async () => ({
      projectId: project,
      destinations: [{ id: 1, target: targetOf(platform), transcoder: desired.id }],
      transcoders: [desired],
    }),
  })
  encoder = publish(source, `rtmp://127.0.0.1:${made.port}/live/good`, ['-stream_loop', '-1'])
}

const report = () => made?.samples.at(-1)?.transcoders[0]
const frames = () => platform.arrived.filter(({ packet }) => packet.kind === 'video').length
const isOnCard = async () => {
  await until(() => report()?.running === true)
  return report()?.onCard
}

describe.skipIf(!hasPrograms)('with ffmpeg', () => {
  beforeAll(async () => {
    source = await sample(dir, 6)
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  beforeEach(async () => {
    platform = await faultyPlatform()
  })
  afterEach(async () => {
    await encoder?.stop()
    await made?.close()
    await programs?.close()
    await platform.stop()
    encoder = made = programs = undefined
  })

  test('a card that encodes in a trial takes transcoders; one that refuses is not reported', async () => {
    programs = openPrograms(withCards('works', ':'), true)
    expect((await programs.ffmpeg)?.cards).toEqual(['h264_nvenc'])
    await onAir(small)
    expect(await isOnCard()).toBe(true)
    await until(() => frames() > 20)
  })

  test('without a free slot of the card, and with B-frames, the processor encodes', async () => {
    programs = openPrograms(withCards('works', ':'), true)
    await onAir(small, 0)
    expect(await isOnCard()).toBe(false)
    await encoder?.stop()
    await made?.close()
    await onAir({ ...small, bFrames: 2 })
    expect(await isOnCard()).toBe(false)
  })

  test('a card that fails twice in a minute is left for the processor, over one connection of the channel', async () => {
    programs = openPrograms(withCards('dies', `limit='timeout --foreground -s KILL 3'`), true)
    await onAir(small)
    expect(await isOnCard()).toBe(true)
    await until(() => report()?.running === true && report()?.onCard === false)
    const before = frames()
    await until(() => frames() > before + 20)
    expect(new Set(platform.arrived.map(({ connection }) => connection)).size).toBe(1)
  })

  test('without cards no trial is made', async () => {
    programs = openPrograms(withCards('works', ':'))
    expect((await programs.ffmpeg)?.cards).toBeUndefined()
  })
})
