// Relay nodes of the built programs, and encoders that send to them.
import { type ChildProcess, spawn } from 'node:child_process'
import { relayProgram } from '#server/relay/program.ts'
import { type Encoder, encode } from '#server/relay/testing/encoder.ts'
import { programs } from '#scripts/house/build.ts'
import { poll } from '#scripts/house/poll.ts'
import { kill, type Stage } from './stage.ts'

/** Starts a node that records nothing. @param service origin of the service @param env other settings */
export function startRelay(
  stage: Stage,
  service: string,
  env: Readonly<Record<string, string>> & { readonly RELAY_TOKEN: string },
): ChildProcess {
  const child = spawn(process.execPath, relayProgram(programs.relay), {
    env: { ...process.env, SERVICE_URL: `${service.replace('http', 'ws')}/relay`, RECORDINGS_DIR: '', ...env },
    stdio: 'ignore',
  })
  stage.onClose(() => kill(child))
  return child
}

/** Publishes to a relay of this machine as soon as it admits the key. */
export const publish = (port: number, key: string): Promise<Encoder> =>
  poll('the encoder to be admitted', async () => {
    const tried = encode(port, key)
    return (await tried.outcome) === 'live' && tried
  })
