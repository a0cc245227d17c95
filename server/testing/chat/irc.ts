// Test double of Twitch's chat over WebSocket (dev.twitch.tv/docs/chat/irc): capabilities, anonymous sign-in, JOIN, PRIVMSG,
// USERNOTICE, CLEARMSG, CLEARCHAT, RECONNECT. A command that the documentation does not know is a problem.
import type { WebSocket } from 'ws'

const host = 'tmi.twitch.tv'
const capabilities = ['twitch.tv/commands', 'twitch.tv/membership', 'twitch.tv/tags']

/** A message to send as another user. */
export interface IrcMessage {
  readonly id?: string
  readonly login?: string
  readonly name?: string
  readonly tags?: Readonly<Record<string, string>>
}

export interface IrcDouble {
  /** Serves a connection. */
  accept(socket: WebSocket): void
  /** Messages of signed-in clients: channel and text. */
  readonly received: { readonly channel: string; readonly text: string; readonly nick: string }[]
  /** Channels joined on open connections. */
  joined(): string[]
  /** Sends a message of a user. @returns its id */
  say(channel: string, text: string, from?: IrcMessage): string
  notice(channel: string, kind: string, tags: Readonly<Record<string, string>>, text?: string): void
  clearMessage(channel: string, id: string): void
  /** Clears the messages of a user, or all. */
  clearChat(channel: string, userId?: string): void
  /** Sends bytes as they are, without an end of line. */
  raw(text: string): void
  /** Announces a restart, then closes the connections. */
  reconnect(): void
  /** Cuts the connections. */
  drop(): void
  /** `silent`: accepts connections and never answers. */
  mode: 'good' | 'silent'
  readonly problems: string[]
}

interface IrcClient {
  nick: string
  readonly channels: Set<string>
}

/** Creates the double. */
export function ircDouble(): IrcDouble {
  const clients = new Map<WebSocket, IrcClient>()
  let lastId = 0
  const toChannel = (channel: string, line: string) => {
    for (const [socket, { channels }] of clients) if (channels.has(`#${channel}`)) socket.send(`${line}\r\n`)
  }
  const double: IrcDouble = {
    received: [],
    problems: [],
    mode: 'good',
    accept(socket) {
      clients.set(socket, { nick: '', channels: new Set() })
      socket.on('error', () => undefined)
      socket.on('close', () => clients.delete(socket))
      socket.on('message', (data) => {
        if (double.mode === 'silent') return
        for (const line of (data as Buffer).toString().split('\r\n')) {
          const client = clients.get(socket)
          if (client && line !== '') answerLine(double, socket, client, line)
        }
      })
    },
    joined: () => [...clients.values()].flatMap(({ channels }) => [...channels]),
    say(channel, text, { id = `m${++lastId}`, login = 'bob', name = 'Bob', tags = {} } = {}) {
      const all = tagsOf({
        badges: '',
        color: '#1E90FF',
        'display-name': name,
        emotes: '',
        id,
        'room-id': '1',
        'tmi-sent-ts': '1763812800000',
        'user-id': '5',
        ...tags,
      })
      toChannel(channel, `${all} :${login}!${login}@${login}.${host} PRIVMSG #${channel} :${text}`)
      return id
    },
    notice(channel, kind, tags, text) {
      const all = tagsOf({
        'msg-id': kind,
        id: `n${++lastId}`,
        login: 'eve',
        'display-name': 'Eve',
        'user-id': '6',
        ...tags,
      })
      toChannel(channel, `${all} :${host} USERNOTICE #${channel}${text === undefined ? '' : ` :${text}`}`)
    },
    clearMessage: (channel, id) =>
      toChannel(channel, `${tagsOf({ login: 'bob', 'target-msg-id': id })} :${host} CLEARMSG #${channel} :text`),
    clearChat: (channel, userId) =>
      toChannel(
        channel,
        userId === undefined
          ? `${tagsOf({ 'room-id': '1' })} :${host} CLEARCHAT #${channel}`
          : `${tagsOf({ 'ban-duration': '600', 'target-user-id': userId })} :${host} CLEARCHAT #${channel} :bob`,
      ),
    raw: (text) => clients.forEach((_, socket) => socket.send(text)),
    reconnect: () =>
      clients.forEach((_, socket) => {
        socket.send(`:${host} RECONNECT\r\n`)
        socket.close()
      }),
    drop: () => clients.forEach((_, socket) => socket.terminate()),
  }

  return double
}

/** Answers a line of a client. */
function answerLine(double: IrcDouble, socket: WebSocket, client: IrcClient, line: string): void {
  const [, command = '', rest = ''] = /^(?:@\S+ )?(\w+) ?(.*)$/.exec(line) ?? []
  const send = (text: string) => socket.send(`${text}\r\n`)
  const steps: Readonly<Record<string, () => void>> = {
    CAP: () => {
      if (rest.startsWith('LS')) send(`:${host} CAP * LS :${capabilities.join(' ')}`)
      else if (rest.startsWith('REQ')) send(`:${host} CAP * ACK :${rest.replace(/^REQ :?/, '')}`)
    },
    PASS: () => undefined,
    USER: () => undefined,
    NICK: () => {
      client.nick = rest.replace(/^:/, '')
      const { nick } = client
      for (const [code, text] of [
        ['001', 'Welcome, GLHF!'],
        ['002', `Your host is ${host}`],
        ['003', 'This server is rather new'],
        ['004', '-'],
        ['375', '-'],
        ['372', 'You are in a maze of twisty passages.'],
        ['376', '>'],
      ] as const)
        send(`:${host} ${code} ${nick} :${text}`)
    },
    JOIN: () => {
      for (const channel of rest.split(',')) {
        client.channels.add(channel)
        const { nick } = client
        send(`:${nick}!${nick}@${nick}.${host} JOIN ${channel}`)
        send(`:${nick}.${host} 353 ${nick} = ${channel} :${nick}`)
        send(`:${nick}.${host} 366 ${nick} ${channel} :End of /NAMES list`)
        send(
          `${tagsOf({ 'emote-only': '0', 'followers-only': '-1', r9k: '0', 'room-id': '1', slow: '0', 'subs-only': '0' })} :${host} ROOMSTATE ${channel}`,
        )
      }
    },
    PART: () => void client.channels.delete(rest.split(' ')[0] ?? ''),
    PING: () => send(`:${host} PONG ${host} ${rest.startsWith(':') ? rest : `:${rest}`}`),
    PONG: () => undefined,
    QUIT: () => socket.close(),
    PRIVMSG: () => {
      const [channel = '', text = ''] = rest.split(' :', 2)
      if (client.nick.startsWith('justinfan')) double.problems.push('an anonymous client may not write')
      double.received.push({ channel, text, nick: client.nick })
    },
  }
  const step = steps[command]
  if (step) step()
  else double.problems.push(`the documentation knows no ${command}`)
}

const escapes: Readonly<Record<string, string>> = { ';': '\\:', ' ': '\\s', '\\': '\\\\', '\r': '\\r', '\n': '\\n' }
const tagsOf = (tags: Readonly<Record<string, string>>): string =>
  `@${Object.entries(tags)
    .map(([name, value]) => `${name}=${value.replaceAll(/[; \\\r\n]/g, (found) => escapes[found] ?? found)}`)
    .join(';')}`
