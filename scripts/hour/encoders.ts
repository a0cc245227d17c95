// Encoders of the test: programs that are killed, stopped and continued.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { bondedSender } from '#server/relay/testing/bonded-sender.ts'
import { publish, publishSrt } from '#server/relay/testing/programs.ts'
import type { Streams } from './streams.ts'

/** `tracks`: landscape and portrait by RTMP. The others have one picture; `bonded` sends by SRTLA over two paths. */
export const encoderKinds = ['tracks', 'rtmp', 'srt', 'bonded'] as const
export type EncoderKind = (typeof encoderKinds)[number]

/** Where encoders connect to. */
export interface Ingest {
  readonly rtmp: number
  readonly srt: number
  readonly projectId: number
  readonly key: string
}

/** A running encoder. */
export interface RunningEncoder {
  readonly kind: EncoderKind
  readonly isBackup: boolean
  /** Kills it: no message to the relay, connections are closed by the system. */
  kill(): Promise<void>
  /** SIGSTOP and SIGCONT: its connection stays open. */
  pause(isPaused: boolean): void
  /** Leaves the portrait track out, and puts it in again. */
  togglePortrait(): void
  /** Its end by itself, with its words; null while it runs. */
  ended(): string | null
}

/** Starts an encoder. */
export async function startEncoder(
  kind: EncoderKind,
  { wide, high, plain }: Streams,
  { rtmp, srt, projectId, key }: Ingest,
  isBackup = false,
): Promise<RunningEncoder> {
  const suffix = isBackup ? '-backup' : ''
  const file = isBackup ? plain : wide
  const bond = kind === 'bonded' ? await bondedSender([srt, srt]) : null
  const start = {
    tracks: () => {
      const program = 'scripts/hour/tracks-encoder.ts'
      const args = [program, String(rtmp), `${key}${suffix}`, file, high]
      return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    },
    rtmp: () => publish(file, `rtmp://127.0.0.1:${rtmp}/live/${key}${suffix}`).child,
    srt: () => {
      const id = `project/${projectId}${suffix}&passphrase=${key}&pbkeylen=16`
      return publishSrt(file, `srt://127.0.0.1:${srt}?streamid=${id}`).child
    },
    bonded: () => publishSrt(file, `srt://127.0.0.1:${bond?.port}?streamid=${key}${suffix}`).child,
  } satisfies Record<EncoderKind, () => ChildProcess>
  const child = start[kind]()
  const gone = once(child, 'exit')
  let said = ''
  let isKilled = false
  child.stderr?.on('data', (text) => (said = `${said}${text}`.slice(-2_000)))
  return {
    kind,
    isBackup,
    async kill() {
      if (isKilled) return
      isKilled = true
      child.kill('SIGKILL')
      await gone
      await bond?.close()
    },
    pause: (isPaused) => void child.kill(isPaused ? 'SIGSTOP' : 'SIGCONT'),
    togglePortrait: () => void child.kill('SIGUSR2'),
    ended() {
      if (isKilled || (child.exitCode === null && child.signalCode === null)) return null
      return `the ${kind} encoder ended with ${child.exitCode ?? child.signalCode}: ${said}`
    },
  }
}
