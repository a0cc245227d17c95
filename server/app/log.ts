// The log: JSON, a line each, for programs; short lines where somebody sits at a terminal.
import { type DestinationStream, type Logger, pino } from 'pino'

/** Structured, and without what callers sent: no addresses of pages, headers or bodies ever reach it. */
export const createLog = (level: string): Logger =>
  pino(
    {
      level,
      redact: ['*.authorization', '*.password', '*.refresh', '*.accessToken', '*.refreshToken', '*.code'],
      serializers: {
        req: () => undefined,
        res: () => undefined,
        err: ({ name, message, stack, code }: NodeJS.ErrnoException) => ({ name, message, stack, code }),
      },
    },
    out,
  )

/** By the same way as what else is printed, so that one does not overtake the other. */
const out: DestinationStream = {
  write: (line) => void process.stdout.write(process.stdout.isTTY ? readable(line) : line),
}

const warning = 40

/**
 * An entry of the log for people: when, what, and what belongs to it.
 * @param line as programs get it
 * @example readable('{"level":30,"time":0,"pid":1,"hostname":"a","port":1935,"msg":"Listens"}') // 00:00:00 Listens port=1935
 */
export function readable(line: string): string {
  const { level, time, pid: _pid, hostname: _hostname, msg = '', err, ...rest } = JSON.parse(line)
  const facts = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const words = [new Date(time).toISOString().slice(11, 19), level >= warning && '(!)', msg, ...facts].filter(Boolean)
  return `${words.join(' ')}\n${err?.stack ? `${err.stack}\n` : ''}`
}
