// Sender of a bonded encoder, made by hand after the description of SRTLA: it takes the SRT packets of a program on a local port, and
// sends them in turn over several paths.
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'

/** A registration that is lost is repeated after this time, milliseconds. */
const repeatMs = 200
const [create, join, joined] = [0x9200, 0x9201, 0x9202]

export interface BondedSender {
  /** Port for the SRT caller. */
  readonly port: number
  /** Packets that acknowledgements have named, by path. */
  acknowledged(): readonly number[]
  /** Cuts a path. */
  cut(path: number): void
  close(): Promise<void>
}

const opened = async (): Promise<Socket> => {
  const socket = createSocket('udp4')
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return socket
}

const typed = (type: number, id: Buffer): Buffer => Buffer.concat([Buffer.from([type >> 8, type & 0xff]), id])

/** Repeats a request until a response of this type. @returns the response */
function ask(socket: Socket, to: number, request: Buffer, type: number): Promise<Buffer> {
  const put = () => socket.send(request, to, '127.0.0.1', () => undefined)
  const timer = setInterval(put, repeatMs)
  put()
  return new Promise((resolve) => {
    socket.on('message', function take(bytes: Buffer) {
      if (bytes.readUInt16BE(0) !== type) return
      clearInterval(timer)
      socket.off('message', take)
      resolve(bytes)
    })
  })
}

/** Registers a path for each port of the relay, such as those of lossy lines. Resolves when all have joined. */
export async function bondedSender(ports: readonly [number, ...number[]]): Promise<BondedSender> {
  const front = await opened()
  const paths = await Promise.all(ports.map(async (to) => ({ to, socket: await opened(), isCut: false, named: 0 })))
  const scout = await opened()
  const created = await ask(scout, ports[0], typed(create, randomBytes(256)), join)
  scout.close()
  const id = created.subarray(2)
  await Promise.all(paths.map(({ socket, to }) => ask(socket, to, typed(join, id), joined)))

  let caller = 0
  let turn = 0
  front.on('message', (bytes, { port }) => {
    caller = port
    const open = paths.filter(({ isCut }) => !isCut)
    const path = open[turn++ % open.length]
    path?.socket.send(bytes, path.to, '127.0.0.1', () => undefined)
  })
  for (const path of paths)
    path.socket.on('message', (bytes) => {
      if (path.isCut) return
      if ((bytes[0] ?? 0) >> 4 !== 9) front.send(bytes, caller, '127.0.0.1', () => undefined)
      else if (bytes[1] === 0 && bytes[0] === 0x91) path.named += bytes.length / 4 - 1
    })
  const keepalive = setInterval(() => {
    for (const { socket, to, isCut } of paths)
      if (!isCut) socket.send(Buffer.from([0x90, 0]), to, '127.0.0.1', () => undefined)
  }, 1_000)
  return {
    port: front.address().port,
    acknowledged: () => paths.map(({ named }) => named),
    cut(index) {
      const path = paths[index]
      if (path) path.isCut = true
    },
    async close() {
      clearInterval(keepalive)
      for (const socket of [front, ...paths.map((path) => path.socket)])
        await new Promise<void>((done) => socket.close(() => done()))
    },
  }
}
