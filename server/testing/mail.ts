// Real SMTP server on loopback for tests.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/**
 * Starts a mail server that stores all messages. It refuses recipients that begin with `full`.
 * @param options `greet`: delays the greeting of a connection; `answer`: delays the response to an accepted message
 */
export async function mailServer({
  password = 'pass word',
  greet = () => Promise.resolve(),
  answer = () => Promise.resolve(),
} = {}) {
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
        return answer().then(() => done())
      }),
    onConnect: (_, done) => void greet().then(() => done()),
  })
  // A sender that dies resets its connection.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    got,
    port,
    /** Settings with which a service sends through this server. */
    settings: {
      SMTP_URL: `smtp://relaydeck:${encodeURIComponent(password)}@127.0.0.1:${port}`,
      MAIL_FROM: 'Relaydeck <relaydeck@example.com>',
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Decodes the text of an e-mail from quoted-printable (RFC 2045, 6.7). */
export const writtenOf = (sent: string): string => {
  const bytes = sent
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
