// A real mail server on this machine, for tests.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** Starts a mail server that keeps what it gets. Addresses that begin with `full` are refused. */
export async function mailServer({ password = 'pass word' } = {}) {
  const got: { to: string[]; text: string }[] = []
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: (auth, _, done) =>
      auth.password === password ? done(null, { user: auth.username }) : done(new Error('no')),
    onRcptTo: ({ address }, _, done) => (address.startsWith('full') ? done(new Error(`${address} is full`)) : done()),
    onData: (stream, { envelope }, done) =>
      void text(stream).then((content) => {
        got.push({ to: envelope.rcptTo.map(({ address }) => address), text: content })
        done()
      }),
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    got,
    port,
    /** What a service is set to, to send through it. */
    settings: {
      SMTP_URL: `smtp://relaydeck:${encodeURIComponent(password)}@127.0.0.1:${port}`,
      MAIL_FROM: 'Relaydeck <relaydeck@example.com>',
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** The text of an e-mail as it was written: on its way long lines are broken, letters beyond ASCII are spelled (quoted-printable, RFC 2045, 6.7). */
export const writtenOf = (sent: string): string => {
  const bytes = sent
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
