// Commands from the guide for scripts; a test runs them as written there.
const guide = Object.values(
  import.meta.glob<string>('/docs/scripts.md', { query: '?raw', import: 'default', eager: true }),
).join('')

/** Shell commands to paste one after the other. */
export interface ScriptCommands {
  readonly signIn: string
  readonly call: string
  readonly refresh: string
}

/** Returns the commands for a server and a user. They never contain the password; the user adds it. */
export function scriptCommands(base: string, email: string): ScriptCommands {
  const [about = '', signIn = '', call = '', refresh = ''] = [...guide.matchAll(/```sh\n(.*?)\n```/gs)].map(
    ([, block]) => block,
  )
  const mine = about.replace(/base=\S+/, () => `base=${quoted(base)}`)
  return {
    signIn: `${email === '' ? mine : mine.replace(/email=\S+/, () => `email=${quoted(email)}`)}\n${signIn}`,
    call,
    refresh,
  }
}

const quoted = (text: string): string =>
  /^[\w@.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
