// Log entries as a person reads them at a terminal.

const warning = 40

/**
 * Formats an entry of the log: time, level, message, fields.
 * @param line the entry as JSON
 * @example readable('{"level":30,"time":0,"pid":1,"hostname":"a","port":1935,"msg":"Listens"}') // 00:00:00 Listens port=1935
 */
export function readable(line: string): string {
  const { level, time, pid: _pid, hostname: _hostname, msg = '', err, ...rest } = JSON.parse(line)
  const facts = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const words = [new Date(time).toISOString().slice(11, 19), level >= warning && '(!)', msg, ...facts].filter(Boolean)
  return `${words.join(' ')}\n${stacksOf(err)}`
}

interface LoggedError {
  readonly stack?: string
  readonly cause?: LoggedError
}

/** Stacks of an error and of its causes, one below the other. */
const stacksOf = (err: LoggedError | undefined): string => (err?.stack ? `${err.stack}\n${stacksOf(err.cause)}` : '')

/** Writes an entry to stdout: readable at a terminal, JSON for programs. */
export const writeLine = (line: string): void => void process.stdout.write(process.stdout.isTTY ? readable(line) : line)
