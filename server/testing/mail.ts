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
  return {
    got,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
