// The commands of the guide for scripts, which a test runs as they stand there.
const guide = Object.values(
  import.meta.glob<string>('/docs/scripts.md', { query: '?raw', import: 'default', eager: true }),
).join('')

/** Texts to paste into a terminal, one after the other. */
export interface ScriptCommands {
  readonly signIn: string
  readonly call: string
  readonly refresh: string
}

/** The commands for a server and a person. The password is never in them: whoever runs them puts it in. */
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
