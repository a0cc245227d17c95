// The log: JSON lines for programs, short lines at a terminal.
import { type DestinationStream, type Logger, pino } from 'pino'
import { writeLine } from './log-line.ts'

const secrets = ['authorization', 'password', 'refresh', 'accessToken', 'refreshToken', 'code']
const redacted = '[Redacted]'

/**
 * Structured log without what callers sent: no address of a page, header or body reaches it.
 * @param destination default: stdout
 */
export const createLog = (level: string, destination: DestinationStream = { write: writeLine }): Logger =>
  pino(
    {
      level,
      redact: {
        // A wildcard does not name its parent to the censor; a path of its own does.
        paths: ['err.code', ...secrets.flatMap((name) => [name, `*.${name}`])],
        // `err` holds only what `errorOf` picks: its code is of the system or the database, never of sign-in.
        censor: (value, [parent]) => (parent === 'err' ? value : redacted),
      },
      serializers: { req: () => undefined, res: () => undefined, err: (error: unknown) => errorOf(error, causesMax) },
    },
    destination,
  )

const causesMax = 3

/** The loggable part of an error and of its causes. */
function errorOf(error: unknown, causes: number): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, code, cause } = error as NodeJS.ErrnoException
  return { name, message, stack, code, ...(cause !== undefined && causes > 0 && { cause: errorOf(cause, causes - 1) }) }
}
